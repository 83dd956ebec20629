import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';

export const listOrganizationNames = route({
  method: 'GET',
  path: '/api/f/mc/org',
  summary: 'Organizations to choose from',
  permission: 'session',
  visitors: true,
  audit: 'none',
  response: z.array(z.object({ id, name: z.string() })),
  errors: [],
});
