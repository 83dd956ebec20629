import { chromium } from 'playwright-core';
const [,, base, ...args] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-background-networking','--disable-component-update','--disable-sync','--no-first-run','--disable-quic'] });
const scheme = (process.env.SCHEME ?? 'light') as 'light';
const page = await browser.newPage({ viewport: { width: Number(process.env.W ?? 1440), height: Number(process.env.H ?? 940) }, colorScheme: scheme });
page.on('console', m => { if (m.type() !== 'log') console.log('CONSOLE', m.type(), m.text()); });
page.on('pageerror', e => console.log('PAGEERROR', e.message, e.stack?.slice(0,400)));
if (process.env.LANG_) await page.addInitScript((l) => localStorage.setItem('carillon-language', JSON.stringify({type:'string',value:l,time:1})), process.env.LANG_);
await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (e) => console.warn('CSP', e.violatedDirective, e.sourceFile, e.lineNumber, e.columnNumber, e.sample)));
await page.goto(base + '/login');
await page.waitForSelector('form');
await page.screenshot({ path: '/tmp/shot-login.png' });
await page.fill('[name=name]', 'admin'); await page.fill('[name=password]', 'carillon-test'); await page.check('[name=agreement]');
await page.click('button[type=submit]');
await page.waitForURL('**/wel/home');
let i = 0;
for (const a of args) {
  if (a.startsWith('/')) await page.goto(base + a); else if (a.startsWith('key:')) await page.keyboard.press(a.slice(4)); else if (a.startsWith('type:')) await page.keyboard.type(a.slice(5)); else if (a.startsWith('click:')) await page.click(a.slice(6)); else if (a.startsWith('hover:')) await page.hover(a.slice(6));
  await page.waitForTimeout(700);
  await page.screenshot({ path: `/tmp/shot-${i++}.png` });
}
await browser.close();
