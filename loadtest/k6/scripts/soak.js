import { fleet as run } from './lib/fleet.js';
import { click, logIn, look } from './lib/people.js';
import { plan } from './lib/settings.js';

/** An ordinary day for two hours: finds growth, leaks and wear. */
const { options: made, settings } = plan({
  people: [
    [20, 2],
    [20, 116],
    [2, 2],
  ],
  connectPerSecond: 100,
  clicks: 60,
});
export const options = made;
export const setup = logIn;
export const fleet = () => run(settings);
export const people = (headers) => look(headers);
export const clicks = (headers) => click(headers);
export const handleSummary = (data) => ({ [__ENV.SUMMARY]: JSON.stringify(data) });
