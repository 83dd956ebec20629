import { orgCompany } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import type { Actor } from './service-test.ts';

let version = 0;

/** Returns the record by which `org` publishes an actor's company, below the companies of `above`, from the top. */
export const companyRecord = ({ companyId }: Actor, name: string, above: readonly Actor[]) =>
  toRecord(
    orgCompany,
    companyId,
    {
      id: companyId,
      name,
      path: `/${[...above.map((a) => a.companyId), companyId].join('/')}/`,
      type: 'reseller',
      status: 'normal',
      fcsLimit: 0,
      fcsEnabled: false,
      ...(above.length > 0 ? { parentId: above.at(-1)!.companyId } : {}),
    },
    envelope('company', { companyId, version: ++version }),
  );
