import { countrySeeds, noCountryId } from '@carillon/contracts/countries';
import { currentTag } from '../browser/language.ts';

/** Country of an account for which none was chosen (SYS-08). */
export const noCountry = String(noCountryId);

/** Returns a function that gives country names in the page's language. */
export function countryNames(): (code: string) => string {
  const names = new Intl.DisplayNames(currentTag(), { type: 'region' });
  return (code) => names.of(code) ?? code;
}

/** Returns the country's name in the page's language; undefined when none was chosen. */
export function countryText(id: number): string | undefined {
  const code = countrySeeds.find((c) => c.countryId === id)?.code;
  return code === undefined ? undefined : countryNames()(code);
}

/** Returns the countries to choose from, by name. */
export function countryOptions(none: string): { value: string; label: string }[] {
  const name = countryNames();
  const named = countrySeeds.map(({ code, countryId }) => ({ value: String(countryId), label: name(code) }));
  return [{ value: noCountry, label: none }, ...named.toSorted((a, b) => a.label.localeCompare(b.label, currentTag()))];
}
