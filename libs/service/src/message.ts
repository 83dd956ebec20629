import { message, type EventData } from '@carillon/contracts';
import { emit } from '@carillon/messaging';

type About = EventData<typeof message, 'message'>;

/**
 * Publishes a message for the users of a company, with the commit of the change (NOTE-02).
 */
export async function emitMessage(
  companyId: string,
  about: Pick<About, 'type' | 'level'> & Partial<About>,
): Promise<void> {
  await emit(
    message,
    'message',
    companyId,
    { objectId: null, objectName: null, orgId: null, expiresAt: null, values: {}, ...about },
    { companyId },
  );
}
