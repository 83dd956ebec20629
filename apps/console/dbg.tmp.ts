import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-background-networking'] });
const page = await browser.newPage({ viewport: { width: 1440, height: 940 } });
await page.goto('http://127.0.0.1:23100/login'); await page.waitForSelector('form');
console.log(await page.evaluate(() => { const b = document.querySelector('button[type=submit]')!; const l = b.querySelector('.mantine-Button-label')!; const cs = getComputedStyle(b); return { html: b.outerHTML.slice(0, 600), color: cs.color, label: getComputedStyle(l).color, bc: cs.getPropertyValue('--button-color'), w: cs.getPropertyValue('--mantine-color-white') }; }));
await browser.close();
