import { fleet as run } from './lib/fleet.js';
import { click, logIn, look } from './lib/people.js';
import { plan } from './lib/settings.js';

/** An ordinary busy day: ten minutes of the load of a company with several thousand devices. */
const { options: made, settings } = plan({
  people: [
    [20, 1],
    [20, 8],
    [2, 1],
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
