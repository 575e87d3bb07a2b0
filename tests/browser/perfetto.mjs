// SPDX-License-Identifier: GPL-2.0
// perfetto.mjs PROFILE SPEEDSCOPE FILE PICTURE: open a file of report-skb --perfetto in speedscope. Prints "ok NAME" or
// "not ok NAME: WHY".
//
// speedscope exports what it has understood. Each slice of the file must be in it, with its begin and its end. It leaves out
// slices without a duration.
import { readFileSync, writeFileSync } from "node:fs";
import { Browser } from "./browser.mjs";

const [profile, speedscope, file, picture] = process.argv.slice(2);
const browser = new Browser(profile);

function result(name, why) {
	console.log(why ? `not ok ${name}: ${why}` : `ok ${name}`);
	if (why)
		process.exitCode = 1;
}

const round = (us) => Math.round(us * 1000);

// Return a map from each task to its slices, "FUNCTION BEGIN END" in ns after the first begin of the task.
function slicesOfFile() {
	const events = JSON.parse(readFileSync(file)).traceEvents.filter((event) => event.pid === 2);
	const names = new Map(events.filter((event) => event.name === "thread_name").map((event) => [event.tid, event.args.name]));
	const tasks = new Map();

	for (const { ph, tid, ts, dur, name } of events.filter((event) => "BEX".includes(event.ph))) {
		const key = `${names.get(tid)} (tid ${tid})`;
		const task = tasks.get(key) ?? { open: [], slices: [], first: ts };

		tasks.set(key, task);
		if (ph === "B")
			task.open.push([name, ts]);
		else
			task.slices.push(ph === "X" ? [name, ts, ts + dur] : [...task.open.pop(), ts]);
	}
	return new Map([...tasks].map(([key, { slices, first }]) =>
		[key, slices.filter(([, from, to]) => round(to) > round(from)).map(([name, from, to]) => `${name} ${round(from) - round(first)} ${round(to) - round(first)}`).sort()]));
}

// The same from the file that speedscope exports.
function slicesOfExport(exported) {
	const frames = exported.shared.frames.map((frame) => frame.name.replace(/ \{.*/, ""));

	return new Map(exported.profiles.filter((one) => one.name.startsWith("tasks ")).map((one) => {
		const open = [], slices = [];
		const first = one.events[0].at;

		for (const { type, frame, at } of one.events) {
			if (type === "O")
				open.push([frames[frame], at]);
			else
				slices.push([...open.pop(), at]);
		}
		return [one.name.replace(/^tasks \(pid 2\), /, ""),
			slices.filter(([, from, to]) => round(to) > round(from)).map(([name, from, to]) => `${name} ${round(from - first)} ${round(to - first)}`).sort()];
	}));
}

function compare(ours, theirs) {
	for (const [task, slices] of ours) {
		const wrong = slices.findIndex((slice, i) => slice !== theirs.get(task)?.[i]);

		if (wrong >= 0 || slices.length !== theirs.get(task)?.length)
			return `${task}: "${slices[wrong]}" is "${theirs.get(task)?.[wrong]}" there`;
	}
	return ours.size === theirs.size ? "" : `${ours.size} tasks, ${theirs.size} there`;
}

try {
	const script = `${file}.js`;

	writeFileSync(script, `speedscope.loadFileFromBase64("t.json", "${readFileSync(file).toString("base64")}")`);
	await browser.open(1600, 900, "light");
	await browser.send("Page.navigate", { url: `file://${speedscope}/dist/release/index.html#localProfilePath=${script}` });
	await browser.until("the slices", "document.title.startsWith('t.json')");
	await browser.evaluate("URL.createObjectURL = (blob) => (window.exported = blob, '#')");
	await browser.evaluate("[...document.querySelectorAll('div')].find((div) => div.innerText.endsWith('Export') && !div.querySelector('div')).click()");
	await browser.until("the export", "!!window.exported");
	const ours = slicesOfFile();

	result("speedscope shows the slices of the file", compare(ours, slicesOfExport(JSON.parse(await browser.evaluate("exported.text()")))));
	console.log(`# ${[...ours.values()].reduce((sum, slices) => sum + slices.length, 0)} slices of ${ours.size} tasks`);
	const ignored = browser.events.filter((event) => event.method === "Runtime.consoleAPICalled")
		.map((event) => String(event.params.args[0]?.value)).filter((text) => text.includes("Doing nothing"));

	result("speedscope ignores no end of a slice", ignored[0]);
	await browser.screenshot(picture);
} catch (error) {
	result("the browser", error.message);
}
browser.close();
