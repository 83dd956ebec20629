import type { ErrorKey } from './errors.ts';

/**
 * Errors that section 8 of the product's description lists (SYS-07) and that no call answers yet, each with the row of
 * docs/requirements.md that will use it. docs/errors marks them; libs/devtools/src/errors.ts compares the list with the
 * sources, so that an error leaves it on its first use, and no new error waits here.
 */
export const awaitedErrors: Partial<Record<ErrorKey, string>> = {
  'common.saveFailed': 'SYS-07',
  'common.addFailed': 'SYS-07',
  'common.updateFailed': 'SYS-07',
  'common.deleteFailed': 'SYS-07',
  'common.operationFailed': 'SYS-07',
  'diagnosis.stateAbnormal': 'DIAG-04',
  'diagnosis.queryAbnormal': 'DIAG-04',
  'egs.cardTaken': 'EGS-01',
  'egs.nameTaken': 'EGS-01',
  'egs.passwordTaken': 'EGS-02',
  'egs.groupTaken': 'EGS-08',
  'backup.failed': 'SYS-02',
  'backup.rollbackFailed': 'SYS-02',
  'backup.deleteFailed': 'SYS-02',
  'license.notActivated': 'LIC-01',
};
