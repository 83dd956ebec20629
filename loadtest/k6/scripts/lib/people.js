import { check, sleep } from 'k6';
import { md5 } from 'k6/crypto';
import encoding from 'k6/encoding';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { devices, url } from './settings.js';

export const commandDuration = new Trend('command_duration', true);
export const commandsLost = new Counter('commands_lost');

const basic = `Basic ${encoding.b64encode(`${__ENV.CLIENT_ID}:${__ENV.CLIENT_SECRET}`)}`;
const json = { 'content-type': 'application/json' };

/** Logs in once for all, because a login is slow on purpose. */
export function logIn() {
  const answer = http.post(
    `${url}/api/f/auth/oauth/token`,
    JSON.stringify({
      grant_type: 'captcha',
      scope: 'all',
      username: __ENV.USERNAME,
      password: md5(__ENV.PASSWORD, 'hex'),
    }),
    { headers: Object.assign({ authorization: basic }, json) },
  );
  if (answer.status !== 200) throw new Error(`nobody can log in: ${answer.status}`);
  return { authorization: basic, 'carillon-auth': `bearer ${answer.json('access_token')}` };
}

/** The requests of a user with an open console. */
const pages = [
  '/api/f/device/device/list?limit=50',
  '/api/f/device/device/count',
  '/api/f/task/task/list?limit=20',
  '/api/f/device/device/list?limit=50&state=online&sort=name',
];

export function look(headers) {
  const page = pages[Math.floor(Math.random() * pages.length)];
  const answer = http.get(`${url}${page}`, { headers, tags: { name: page.split('?')[0] } });
  check(answer, { 'a page is answered with 200': (r) => r.status === 200 });
}

/** Reboots one device and waits until the platform reports that it is done. */
export function click(headers) {
  const device = devices[Math.floor(Math.random() * devices.length)];
  const began = Date.now();
  const task = http.post(
    `${url}/api/f/task/task`,
    JSON.stringify({ name: 'Load', action: 'locate', params: { seconds: 5 }, target: { ids: [device.id] } }),
    { headers: Object.assign({}, headers, json), tags: { name: 'add task' } },
  );
  if (!check(task, { 'a task is accepted': (r) => r.status === 202 })) return;
  const id = task.json('data.id');
  while (Date.now() - began < 20_000) {
    sleep(0.1);
    const now = http.get(`${url}/api/f/task/task/${id}`, { headers, tags: { name: 'task' } }).json('data');
    if (!now || !now.endedAt) continue;
    if (check(now, { 'a device did what it was told': (t) => t.counts.success === 1 }))
      commandDuration.add(Date.now() - began);
    return;
  }
  commandsLost.add(1);
}
