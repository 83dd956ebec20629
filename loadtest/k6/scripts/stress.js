import { fleet as run } from './lib/fleet.js';
import { click, logIn, look } from './lib/people.js';
import { plan } from './lib/settings.js';

/** Rising load until well above an ordinary day: finds where it gets slow, and whether it recovers. */
const { options: made, settings } = plan({
  people: [
    [20, 2],
    [50, 3],
    [100, 3],
    [200, 3],
    [20, 2],
  ],
  connectPerSecond: 100,
  clicks: 60,
  // At ten times an ordinary day it may be slower, but must not fail.
  more: { 'http_req_duration{scenario:people}': ['p(95)<2000'] },
});
export const options = made;
export const setup = logIn;
export const fleet = () => run(settings);
export const people = (headers) => look(headers);
export const clicks = (headers) => click(headers);
export const handleSummary = (data) => ({ [__ENV.SUMMARY]: JSON.stringify(data) });
