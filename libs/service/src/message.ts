import { message, type EventData } from '@carillon/contracts';
import { emit } from '@carillon/messaging';

type About = EventData<typeof message>;

/**
 * Tells the people of a company something they have to know, with the change's commit (spec, section 3: alarms,
 * messages).
 */
export async function emitMessage(
  companyId: string,
  of: Pick<About, 'type' | 'level'> & Partial<About>,
): Promise<void> {
  await emit(
    message,
    'message',
    companyId,
    { objectId: null, objectName: null, orgId: null, expiresAt: null, values: {}, ...of },
    { companyId },
  );
}
