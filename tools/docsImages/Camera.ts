import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Of n8n's own, and not of our nodes. */
const distractions = `
	.el-notification, [data-test-id='node-feature-request'], [data-test-id='floating-nodes'],
	[data-test-id='panel-drag-button'] { visibility: hidden !important; }
`;

const areImagesLoaded = '[...document.images].every(({ complete }) => complete)';

/** The box of an element down to the last thing in it that can be read or filled in. */
async function measureContent(element: Locator): Promise<Box> {
	// Runs in the page. No function in it has a name, else tsx puts in a call that the page lacks.
	return await element.evaluate((root) => {
		const { x, y, width, bottom: end } = root.getBoundingClientRect();
		const bottoms = [...root.querySelectorAll('*')]
			.filter((part) => !part.closest("[data-test-id='node-feature-request']"))
			.filter(
				(part) =>
					part.matches('input, textarea, button, .el-switch') ||
					[...part.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()),
			)
			.map((part) => part.getBoundingClientRect().bottom)
			.filter((bottom) => bottom <= end);
		return { x, y, width, height: Math.min(Math.max(y, ...bottoms) + 16, end) - y };
	});
}

/** Around all boxes, with some room at the bottom, but not over the edge of what the page shows. */
function frameAround(boxes: Box[], viewportHeight: number): Box {
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	const bottom = Math.max(...boxes.map((box) => box.y + box.height));
	return { x, y, width: right - x, height: Math.min(bottom, viewportHeight) - y };
}

/** Takes pictures of parts of a page, in n8n's light and dark theme. */
export class Camera {
	/** File names with their sizes in bytes. */
	readonly taken: Array<{ file: string; size: number }> = [];

	constructor(
		private readonly page: Page,
		private readonly folder: string,
	) {
		mkdirSync(folder, { recursive: true });
	}

	/** `<name>-light.png` and `<name>-dark.png`; only `<name>.png` where a page knows no themes. */
	async take(name: string, parts: Locator[]): Promise<void> {
		// Nothing is to look as if the mouse were over it.
		await this.page.mouse.move(0, 0);
		const boxes = await Promise.all(parts.map(measureContent));
		const clip = frameAround(boxes, this.page.viewportSize()?.height ?? Infinity);
		const light = await this.shoot('light', clip);
		const dark = await this.shoot('dark', clip);
		await this.page.emulateMedia({ colorScheme: 'light' });
		if (light.equals(dark)) return this.keep(`${name}.png`, light);
		this.keep(`${name}-light.png`, light);
		this.keep(`${name}-dark.png`, dark);
	}

	private async shoot(colorScheme: 'light' | 'dark', clip: Box): Promise<Buffer> {
		await this.page.emulateMedia({ colorScheme });
		// The icons of the nodes change with the theme.
		await this.page.waitForFunction(areImagesLoaded);
		return await this.page.screenshot({ clip, style: distractions, animations: 'disabled' });
	}

	private keep(file: string, picture: Buffer): void {
		const path = join(this.folder, file);
		writeFileSync(path, picture);
		this.taken.push({ file, size: statSync(path).size });
	}
}
