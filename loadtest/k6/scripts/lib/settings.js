import { SharedArray } from 'k6/data';

/**
 * Where the product is and who logs in. `DEVICES` is a file with `[{ "mac", "id", "secret" }]` of devices that nothing
 * else uses.
 */
export const url = __ENV.URL;
export const mqtt = __ENV.MQTT;
export const devices = new SharedArray('devices', () => JSON.parse(open(__ENV.DEVICES)));

/**
 * Seconds for a minute of the plan, and the share of its load: MINUTE=2 SHARE=0.1 gives a quick look at the whole plan.
 */
const minute = Number(__ENV.MINUTE || 60);
const share = Number(__ENV.SHARE || 1);
export const seconds = (minutes) => Math.max(2, Math.round(minutes * minute));
export const rate = (perSecond) => Math.max(1, Math.round(perSecond * share));

/** Thresholds of every plan; a plan may be stricter, or looser with a reason. */
const thresholds = {
  http_req_failed: ['rate<0.01'],
  'http_req_duration{scenario:people}': ['p(95)<500'],
  checks: ['rate>0.99'],
  mqtt_errors: ['count<1'],
  mqtt_connect_duration: ['p(95)<2000'],
  mqtt_publish_duration: ['p(95)<500', 'p(99)<2000'],
  command_duration: ['p(95)<2000'],
  commands_lost: ['count<1'],
};

/**
 * Makes a plan: `people` as steps of requests per second and minutes, `devices` that stay connected to the end and
 * arrive at `connectPerSecond`, and `clicks` per minute, each of which reboots one device and waits for it.
 */
export function plan({ people, connectPerSecond, stateEverySeconds = 10, clicks, more = {} }) {
  const minutes = people.reduce((sum, [, of]) => sum + of, 0);
  const length = people.reduce((sum, [, of]) => sum + seconds(of), 0);
  const clicking = Math.max(2, length - 5);
  const most = Math.max(...people.map(([perSecond]) => rate(perSecond)));
  return {
    // The devices stay until the last click can have reached one.
    settings: { length: Math.max(length, clicking + 8), connectPerSecond, stateEverySeconds },
    options: {
      noConnectionReuse: false,
      summaryTrendStats: ['min', 'med', 'p(95)', 'p(99)', 'max'],
      setupTimeout: '60s',
      tags: { minutes: String(minutes) },
      thresholds: Object.assign({}, thresholds, more, __ENV.THRESHOLDS ? JSON.parse(__ENV.THRESHOLDS) : {}),
      scenarios: {
        fleet: {
          executor: 'per-vu-iterations',
          exec: 'fleet',
          vus: Math.min(4, devices.length),
          iterations: 1,
          maxDuration: `${length + 75}s`,
          gracefulStop: '10s',
        },
        people: {
          executor: 'ramping-arrival-rate',
          exec: 'people',
          startRate: rate(people[0][0]),
          timeUnit: '1s',
          preAllocatedVUs: Math.max(2, Math.ceil(most / 4)),
          maxVUs: Math.max(10, most * 2),
          stages: people.map(([perSecond, of]) => ({ target: rate(perSecond), duration: `${seconds(of)}s` })),
        },
        clicks: {
          executor: 'constant-arrival-rate',
          exec: 'clicks',
          rate: rate(clicks),
          timeUnit: `${seconds(1)}s`,
          duration: `${clicking}s`,
          startTime: '3s',
          preAllocatedVUs: 4,
          maxVUs: 40,
        },
      },
    },
  };
}
