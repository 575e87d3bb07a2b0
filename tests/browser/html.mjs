// SPDX-License-Identifier: GPL-2.0
// html.mjs PROFILE PAGE PICTURES: check a page of report-skb --html in Chromium. Prints "ok NAME" or "not ok NAME: WHY".
//
// The page is opened wide and narrow, light and dark. Its pictures are written to the directory PICTURES.
import { Browser } from "./browser.mjs";

const [profile, page, pictures] = process.argv.slice(2);
const browser = new Browser(profile);

function result(name, why) {
	console.log(why ? `not ok ${name}: ${why}` : `ok ${name}`);
	if (why)
		process.exitCode = 1;
}

// Contrast of two colours such as "rgb(1, 2, 3)", as defined by WCAG 2.
function contrast(one, other) {
	const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((n) => n / 255)
		.map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4))
		.reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
	const [low, high] = [light(one), light(other)].sort((a, b) => a - b);

	return (high + 0.05) / (low + 0.05);
}

async function opens(name) {
	const navigation = "performance.getEntriesByType('navigation')[0]";

	await browser.send("Performance.enable", { timeDomain: "threadTicks" });
	// The page has to work without scripts.
	await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
	await browser.send("Page.navigate", { url: `file://${page}` });
	await browser.until("the page", `document.readyState == 'complete' && ${navigation}.loadEventEnd > 0`);
	const ms = await browser.evaluate(`Math.round(${navigation}.loadEventEnd)`);
	const { metrics } = await browser.send("Performance.getMetrics");
	const cpu = Math.round(1000 * metrics.find((metric) => metric.name === "TaskDuration").value);

	console.log(`# ${name}: loaded and shown after ${ms} ms, of which ${cpu} ms are CPU time of its main thread`);
	// Other programs may need the CPUs, so the limit is compared with CPU time.
	result(`${name}: opens within 2 s`, cpu > 2000 && `${cpu} ms`);
}

async function fits(name) {
	const beyond = await browser.evaluate("document.documentElement.scrollWidth - innerWidth");

	result(`${name}: fits into the width`, beyond > 0 && `${beyond} pixels are too many`);
}

async function unfolds(name) {
	const { x, y } = JSON.parse(await browser.evaluate(`(() => {
		const summary = document.querySelector(".dropped summary");

		summary.scrollIntoView();
		return JSON.stringify(summary.getBoundingClientRect());
	})()`));

	for (const type of ["mousePressed", "mouseReleased"])
		await browser.send("Input.dispatchMouseEvent", { type, x: x + 5, y: y + 5, button: "left", clickCount: 1 });
	await browser.until("the graph", "document.querySelector('.dropped').open");
	const height = await browser.evaluate(`(() => {
		const mark = document.querySelector(".dropped mark");

		mark.scrollIntoView({ block: "center" });
		return mark.getBoundingClientRect().height;
	})()`);
	result(`${name}: a click without scripts shows the graph with the drop`, height < 10 && `the mark has ${height} pixels`);
}

async function readable(name) {
	const colors = JSON.parse(await browser.evaluate(`(() => {
		const color = (query, what) => getComputedStyle(document.querySelector(query))[what];

		return JSON.stringify([
			["text", color("body", "color"), color("body", "backgroundColor")],
			["titles", color("dt", "color"), color("body", "backgroundColor")],
			["drops", color(".dropped .v", "color"), color("body", "backgroundColor")],
			["marks", color("mark", "color"), color("mark", "backgroundColor")],
			["graphs", color("pre", "color"), color("pre", "backgroundColor")],
		]);
	})()`));
	const bad = colors.filter(([, text, behind]) => contrast(text, behind) < 4.5).map(([what]) => what);

	result(`${name}: contrast of the text`, bad.length && bad.join());
}

try {
	for (const [width, height, size] of [[1400, 900, "wide"], [400, 800, "narrow"]]) {
		for (const scheme of ["light", "dark"]) {
			const name = `${size}, ${scheme}`;

			await browser.open(width, height, scheme);
			await opens(name);
			await fits(name);
			await browser.screenshot(`${pictures}/html-${size}-${scheme}.png`);
			await unfolds(name);
			await fits(`${name}, with a graph`);
			await readable(name);
			await browser.screenshot(`${pictures}/html-${size}-${scheme}-drop.png`);
		}
	}
} catch (error) {
	result("the browser", error.message);
}
browser.close();
