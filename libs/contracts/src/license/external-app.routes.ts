import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';

const fields = {
  name: z.string().trim().min(1).max(64),
  address: z
    .string()
    .trim()
    .max(512)
    .regex(/^https?:\/\/[^\s/]+/i, 'menu.pathFormat')
    .pipe(z.url('menu.pathFormat')),
  /** Name of a menu icon. */
  icon: z.string().trim().max(64),
  /** Roles that see it; null is everyone in the company. */
  roles: z.array(id).min(1).max(100).nullable(),
};
export const externalApp = z
  .object({
    id,
    name: z.string(),
    address: z.string(),
    icon: z.string(),
    roles: z.array(id).nullable(),
    /** Whether its host may be shown in a frame; otherwise it is in no menu. */ allowed: z.boolean(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ExternalApp' });
export type ExternalApp = z.output<typeof externalApp>;
const refusals = ['menu.pathFormat', 'config.appHostNotAllowed'] as const;

/** Lists pages of other sites in the menu, each at /myiframe/{id} (SYS-10). */
export const listExternalApps = route({
  method: 'GET',
  path: '/api/f/license/app/list',
  summary: 'External apps',
  permission: 'config',
  audit: 'none',
  response: z.array(externalApp),
  errors: [],
});

export const addExternalApp = route({
  method: 'POST',
  path: '/api/f/license/app',
  summary: 'Add an external app',
  permission: 'editConfig',
  audit: 'externalApp.add',
  status: 201,
  body: z.strictObject(fields),
  response: externalApp,
  errors: refusals,
});

export const editExternalApp = route({
  method: 'PUT',
  path: '/api/f/license/app',
  summary: 'Edit an external app',
  permission: 'editConfig',
  audit: 'externalApp.edit',
  body: z.strictObject({ id, ...fields }),
  response: externalApp,
  errors: refusals,
});

export const deleteExternalApp = route({
  method: 'DELETE',
  path: '/api/f/license/app/{id}',
  summary: 'Delete an external app',
  permission: 'editConfig',
  audit: 'externalApp.delete',
  params: z.object({ id }),
  response: z.null(),
  errors: [],
});
