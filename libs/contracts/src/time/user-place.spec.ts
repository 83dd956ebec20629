import { expect, test } from 'vitest';
import { userPlace } from './user-place.ts';

const year = 2026;
const at = (timezoneId: number, countryId?: number) => userPlace(timezoneId, countryId, Date.UTC(year, 10, 28));

test('a user’s schedules use their country’s place when it is in their zone [SHELL-19/schedule]', () => {
  // Each pair shares a zone with Berlin, Halifax, Chicago or Athens, and has other clock changes or none.
  expect(at(17, 276)).toBe('Europe/Berlin');
  expect(at(17, 566)).toBe('Africa/Lagos');
  expect(at(11, 152)).toBe('America/Santiago');
  expect(at(8, 484)).toBe('America/Mexico_City');
  expect(at(18, 710)).toBe('Africa/Johannesburg');
});

test('a country with several zones, an unknown country and UTC keep the place of the zone', () => {
  expect(at(6, 840)).toBe('America/Los_Angeles');
  expect(at(17)).toBe('Europe/Berlin');
  expect(at(17, 999)).toBe('Europe/Berlin');
  expect(at(1, 826)).toBe('Etc/UTC');
  expect(at(99, 276)).toBe('Etc/UTC');
});
