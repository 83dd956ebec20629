import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteWebhook, listDevices, listWebhooks } from '@carillon/contracts';
import { startWebhookReceiver, type ReceivedCall, type WebhookReceiver } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { settled } from '../../../../test/screen/screen.ts';
import { publishReport } from '../../../../test/publish.ts';

const product = useProduct();
let there: WebhookReceiver;
let verifyWebhook: (secret: string, headers: object, body: string) => boolean;
beforeAll(async () => {
  there = await startWebhookReceiver();
  const example = new URL('../../../../../../docs/examples/verify-webhook.mjs', import.meta.url).href;
  ({ verifyWebhook } = (await import(example)) as { verifyWebhook: typeof verifyWebhook });
});
afterAll(() => there?.close());

it('a webhook is added and tested; an alarm arrives signed, is retried and resent [NOTE-05]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/webhook');
  const name = 'Zz duty';
  const [device] = (await platform.call(listDevices, { query: { state: ['notConfigured', 'offline'], limit: 1 } }))
    .records;
  const dialog = page.getByRole('dialog');
  const row = page.locator('main [data-id]').filter({ hasText: name });
  const act = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const genuine = (secret: string, { headers, body }: ReceivedCall) => verifyWebhook(secret, headers, body);
  try {
    await page.locator('main h1').first().waitFor();
    await settled(page);
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('URL').fill('https://10.0.0.8/hook');
    const save = dialog.getByRole('button', { name: 'Add webhook', exact: true });
    await save.click();
    await dialog.getByText('This address can’t be reached from here.').waitFor();
    await dialog.getByLabel('URL').fill(`http://localhost:${there.port}/hook`);
    await save.click();
    const shown = page.getByRole('dialog', { name: `Signing secret of ${name}` });
    await shown.getByText('it is shown only once').waitFor();
    const secret = await shown.locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'I’ve saved it' }).click();
    await row.getByText('Enabled').waitFor();
    expect(await page.content()).not.toContain(secret);

    await act('Send a test');
    await dialog.getByRole('button', { name: 'Send a test', exact: true }).click();
    await dialog.getByText(/^Delivered · 204 · \d+ ms$/).waitFor();
    const test = await there.nth(1);
    expect(genuine(secret, test)).toBe(true);
    there.answer((_, response) => response.writeHead(503).end('We are closed.'));
    await dialog.getByRole('button', { name: 'Send a test', exact: true }).click();
    await dialog.getByText(/^The receiver refused it · 503 · \d+ ms$/).waitFor();
    await dialog.getByText('We are closed.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await there.nth(2);

    // One attempt fails, and the next one follows by itself.
    there.answer((_, response) => response.writeHead(there.calls.length === 3 ? 500 : 200).end('Thanks'));
    await publishReport(platform, device!, { event: { id: randomUUID(), kind: 'tamper' } });
    const first = await there.nth(3, 30_000);
    await row.getByText('Failing').waitFor();
    await row.locator('button, [data-name]').filter({ hasText: name }).first().click();
    const drawer = page.getByRole('dialog', { name });
    await drawer.getByRole('row').filter({ hasText: 'Alarm raised' }).getByText('Pending').waitFor();
    const second = await there.nth(4, 30_000);
    for (const call of [first, second]) {
      expect(genuine(secret, call)).toBe(true);
      expect(JSON.parse(call.body)).toMatchObject({
        type: 'alarm.raised',
        data: { kind: 'tamper', level: 'high', devices: [{ id: device!.id, name: device!.name }] },
      });
    }
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.at - first.at).toBeGreaterThanOrEqual(4_500);
    await drawer.getByRole('row').filter({ hasText: 'Alarm raised' }).getByText('Delivered').waitFor();
    await drawer.getByRole('row').filter({ hasText: 'Alarm raised' }).getByRole('link').click();
    await page.waitForURL('**/system/webhook/deliveries?**');
    const sent = page.getByRole('dialog', { name: device!.name });
    await sent.getByText(/^The receiver refused it · 500 · \d+ ms$/).waitFor();
    await sent.getByText(/^Delivered · 200 · \d+ ms$/).waitFor();
    await sent.getByText('"kind": "tamper"').waitFor();
    await page.keyboard.press('Escape');

    // A receiver that answers 410 gets nothing until a user enables the webhook and sends the delivery again.
    there.answer((_, response) => response.writeHead(410).end());
    await publishReport(platform, device!, {
      state: { lines: [{ line: 1, account: '4711', server: 'x', status: 'failed' }] },
    });
    await there.nth(5, 30_000);
    const failed = page.locator('main [data-id]').filter({ hasText: 'Failed' }).filter({ hasText: '410' });
    await failed.waitFor();
    there.answer(undefined);
    await page.goto('/system/webhook');
    await row.getByText('Stopped: receiver is gone').waitFor();
    await act('Edit');
    await dialog.getByLabel('Enabled').check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Enabled').waitFor();
    await page.goto('/system/webhook/deliveries?state=failed&event=alarm.raised');
    await failed.waitFor();
    await failed.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Send again' }).click();
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click();
    const last = await there.nth(6);
    expect(genuine(secret, last)).toBe(true);
    expect(last.headers['webhook-id']).toBe(there.calls[4]!.headers['webhook-id']);
    await failed.waitFor({ state: 'detached' });
    await page.goto('/system/webhook');
    await act('Delete');
    await dialog.getByRole('button', { name: `Delete webhook ${name}` }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await act('Renew secret');
    await dialog.getByRole('button', { name: 'Renew secret', exact: true }).click();
    await dialog.getByText('The former secret is valid until').waitFor();
    const renewed = await dialog.locator('code').innerText();
    expect(renewed).not.toBe(secret);
    // Another secret and another body are both invalid.
    expect(genuine(renewed, last)).toBe(false);
    expect(genuine(secret, { ...last, body: `${last.body} ` })).toBe(false);
  } finally {
    await publishReport(platform, device!, {
      state: { lines: [{ line: 1, account: '4711', server: 'x', status: 'registered' }] },
    });
    const { records } = await platform.call(listWebhooks, { query: { search: 'Zz' } });
    for (const { id } of records) await platform.call(deleteWebhook, { query: { id } });
  }
});
