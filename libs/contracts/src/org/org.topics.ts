import { topic } from '../define/topic.ts';
import { companyView, organizationView } from './org.schemas.ts';

export const orgCompany = topic({ name: 'org.company.v1', owner: 'org', key: 'company id', partitions: 6, cleanup: 'compact', events: { company: companyView } });
export const orgOrganization = topic({ name: 'org.organization.v1', owner: 'org', key: 'organization id', partitions: 6, cleanup: 'compact', events: { organization: organizationView } });
