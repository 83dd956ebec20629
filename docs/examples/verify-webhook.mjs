import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a delivery of Carillon is genuine. `body` is what came, byte for byte, and `secret` begins with `whsec_`. */
export function verifyWebhook(secret, headers, body, nowSeconds = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  if (!id || !signatures || !(Math.abs(nowSeconds - Number(time)) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
  const same = (given) => given.length === expected.length && timingSafeEqual(Buffer.from(given), expected);
  return signatures.split(' ').some(same);
}
