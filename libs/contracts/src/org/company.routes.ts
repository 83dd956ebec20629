import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { companyStatuses, companyTypes } from './org.schemas.ts';

export const companyRecord = z
  .object({
    id,
    name: z.string(),
    type: z.enum(companyTypes),
    status: z.enum(companyStatuses),
    /** The parent company; empty for the installation's own. */
    superior: z.string(),
    createSubLimit: z.number(),
    fcsLimit: z.number(),
    licenseGranting: z.boolean(),
    fcsEnabled: z.boolean(),
    localSync: z.boolean(),
    users: z.number(),
    devices: z.number(),
    createdAt: z.string(),
    remarks: z.string(),
  })
  .meta({ id: 'Company' });

/** States that the super administrator may set (CHN-01). */
export const companyStates = ['normal', 'disabled', 'locked'] as const;

/** Lists companies, for the super administrator only: no other type of account can hold the permission. */
export const listCompanies = route({
  method: 'GET',
  path: '/api/f/org/company/list',
  summary: 'Companies of the installation',
  permission: 'company',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(),
      type: choice(z.enum(companyTypes)),
      status: choice(z.enum(companyStatuses)),
      superior: orEmpty(text()),
      createSubLimit: number,
      fcsLimit: number,
      licenseGranting: flag,
      fcsEnabled: flag,
      localSync: flag,
      users: number,
      devices: number,
      remarks: orEmpty(text(512)),
      createdAt: moment,
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'type',
      'status',
      'superior',
      'createSubLimit',
      'fcsLimit',
      'licenseGranting',
      'fcsEnabled',
      'localSync',
      'users',
      'devices',
      'remarks',
      'createdAt',
    ]),
  }),
  response: listOf(companyRecord),
  errors: [],
});

/** Edits a company. Its name is unique in the installation. */
export const editCompany = route({
  method: 'PUT',
  path: '/api/f/org/company',
  summary: 'Edit a company',
  permission: 'editCompany',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({
    id,
    name: z.string().trim().min(1).max(128),
    type: z.enum(companyTypes),
    remarks: z.string().trim().max(512),
  }),
  response: z.null(),
  errors: ['org.companyNameTaken'],
});

/** Sets the status. A company that is not normal lets no user in: their sessions end, and a login names the status. */
export const setCompanyStatus = route({
  method: 'POST',
  path: '/api/f/org/company/status',
  summary: 'Disable, lock or enable a company',
  permission: 'disableCompany',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ id, status: z.enum(companyStates) }),
  response: z.null(),
  errors: ['org.ownCompany'],
});
