import { fleet as run } from './lib/fleet.js';
import { click, logIn, look } from './lib/people.js';
import { plan } from './lib/settings.js';

/** Checks that everything answers: one minute with few users and few devices. */
const { options: made, settings } = plan({
  people: [[2, 1]],
  connectPerSecond: 10,
  stateEverySeconds: 5,
  clicks: 20,
});
export const options = made;
export const setup = logIn;
export const fleet = () => run(settings);
export const people = (headers) => look(headers);
export const clicks = (headers) => click(headers);
export const handleSummary = (data) => ({ [__ENV.SUMMARY]: JSON.stringify(data) });
