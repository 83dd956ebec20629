import { fleet as run } from './lib/fleet.js';
import { click, logIn, look } from './lib/people.js';
import { plan } from './lib/settings.js';

/** Everyone at once: all devices connect in one second, and users increase tenfold within seconds. */
const { options: made, settings } = plan({
  people: [
    [10, 1],
    [200, 0.2],
    [200, 1],
    [10, 0.2],
    [10, 1.6],
  ],
  connectPerSecond: 5_000,
  clicks: 30,
  // During the rush some get 429 or 503 and retry; connects wait for their turn.
  more: {
    http_req_failed: ['rate<0.05'],
    checks: ['rate>0.95'],
    'http_req_duration{scenario:people}': ['p(95)<2000'],
    mqtt_connect_duration: ['p(95)<10000'],
    mqtt_publish_duration: ['p(95)<2000'],
  },
});
export const options = made;
export const setup = logIn;
export const fleet = () => run(settings);
export const people = (headers) => look(headers);
export const clicks = (headers) => click(headers);
export const handleSummary = (data) => ({ [__ENV.SUMMARY]: JSON.stringify(data) });
