import { exportCalls, exportOf, factsText } from '../define/export.ts';
import { offsetName } from '../time/clock.ts';
import { listCountries, listTimeZones } from './time.routes.ts';

export const countryExport = exportOf(
  listCountries,
  { what: 'countries with their daylight saving rules' },
  {
    name: 'text',
    offset: ['text', (c) => offsetName(c.offset)],
    rule: ['text', ({ rule }) => (rule === null || typeof rule === 'string' ? rule : factsText(rule))],
    different: 'word',
    edited: 'word',
    updatedAt: 'moment',
  },
);
export const addCountryExport = countryExport.add;

export const timeZoneExport = exportOf(
  listTimeZones,
  { what: 'time zones' },
  { region: 'text', offset: ['text', (z) => z.timeOffset], sort: 'number' },
);
export const addTimeZoneExport = timeZoneExport.add;

export const licenseExports = exportCalls('license');
export const {
  list: listLicenseExports,
  get: getLicenseExport,
  file: getLicenseExportFile,
  remove: deleteLicenseExport,
} = licenseExports;
