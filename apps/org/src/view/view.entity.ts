import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RouteReturn, addView } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

type ViewRecord = RouteReturn<typeof addView>;

/** A saved state of a list. */
const ViewSchema = defineEntity({
  name: 'View',
  tableName: 'view',
  indexes: [
    {
      name: 'view_name',
      expression: 'create unique index view_name on view (company_id, list, user_id, lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    list: p.string().length(32),
    name: p.string().length(64),
    shared: p.boolean(),
    state: p.json<ViewRecord['state']>(),
    layout: p.json<ViewRecord['layout']>(),
    updatedAt: changedInstant(3),
  },
});
export class View extends ViewSchema.class {}
ViewSchema.setClass(View);
