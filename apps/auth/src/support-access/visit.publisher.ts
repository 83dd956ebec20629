import { authVisit } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { visitViews } from './support-access.queries.ts';

/** Publishes visits to the API gateways with the commit: a visitor is out within a second after the visit ends. */
export async function publishVisits(ids: readonly string[]): Promise<void> {
  for (const view of await visitViews(ids))
    await emit(authVisit, 'visit', view.visitId, view, { companyId: view.hostCompanyId });
}
