import { countrySeeds, noCountryId } from '@carillon/contracts/countries';
import { currentTag } from '../session/language.ts';

/** What an account has for which nobody chose one (spec, section 9). */
export const noCountry = String(noCountryId);

/** Names of countries in the language of the page. */
export function countryNames(): (code: string) => string {
  const names = new Intl.DisplayNames(currentTag(), { type: 'region' });
  return (code) => names.of(code) ?? code;
}

/** The country's name in the language of the page; absent: nobody chose one. */
export function countryText(id: number): string | undefined {
  const code = countrySeeds.find((c) => c.countryId === id)?.code;
  return code === undefined ? undefined : countryNames()(code);
}

/** The countries to choose from, by name. */
export function countryOptions(none: string): { value: string; label: string }[] {
  const name = countryNames();
  const named = countrySeeds.map(({ code, countryId }) => ({ value: String(countryId), label: name(code) }));
  return [{ value: noCountry, label: none }, ...named.toSorted((a, b) => a.label.localeCompare(b.label, currentTag()))];
}
