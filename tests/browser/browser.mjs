// SPDX-License-Identifier: GPL-2.0
// browser.mjs - control a headless Chromium over a pipe, with the Chrome DevTools Protocol
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const seconds = 120;

export class Browser {
	constructor(profile) {
		this.process = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
			"--allow-file-access-from-files", "--disable-background-networking", `--user-data-dir=${profile}`,
			"--remote-debugging-pipe", "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		this.waiting = new Map();
		this.events = [];
		this.last = 0;
		let text = "";
		this.process.stdio[4].on("data", (data) => {
			text += data;
			for (let end; (end = text.indexOf("\0")) >= 0; text = text.slice(end + 1))
				this.receive(JSON.parse(text.slice(0, end)));
		});
		this.process.on("exit", (status) => {
			for (const { reject } of this.waiting.values())
				reject(new Error(`chromium ended with status ${status}`));
		});
	}

	receive(message) {
		const call = this.waiting.get(message.id);

		if (!call)
			return this.events.push(message);
		this.waiting.delete(message.id);
		return message.error ? call.reject(new Error(message.error.message)) : call.resolve(message.result);
	}

	// Send a command to the open page, or to the browser if no page is open yet.
	send(method, params = {}) {
		const id = ++this.last;

		this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.page }) + "\0");
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), seconds * 1000);
			const done = (then) => (value) => (clearTimeout(timer), then(value));

			this.waiting.set(id, { resolve: done(resolve), reject: done(reject) });
		});
	}

	// Open an empty page of this size, in the dark or the light scheme.
	async open(width, height, scheme) {
		this.page = undefined;
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });

		this.page = sessionId;
		await this.send("Page.enable");
		await this.send("Runtime.enable");
		await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
		await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
	}

	async evaluate(expression) {
		const result = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });

		if (result.exceptionDetails)
			throw new Error(`${expression}: ${result.exceptionDetails.exception?.description ?? result.exceptionDetails.text}`);
		return result.result.value;
	}

	// Wait until the expression is true.
	async until(what, expression) {
		for (const end = Date.now() + seconds * 1000; !(await this.evaluate(expression));) {
			if (Date.now() > end)
				throw new Error(`waited in vain for: ${what}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	async screenshot(file) {
		const { data } = await this.send("Page.captureScreenshot", { format: "png" });

		writeFileSync(file, Buffer.from(data, "base64"));
	}

	close() {
		this.process.kill();
	}
}
