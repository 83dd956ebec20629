import { call, remote } from './call.ts';
import { sendErrors } from '../browser/error-log.ts';

const report = remote('reportErrors', 'POST /api/f/notification/errorLog');

/** Reports the errors of this browser; returns whether all of them arrived. */
export const reportErrors = (init: { quiet?: boolean } = {}): Promise<boolean> =>
  sendErrors((_path, body) =>
    call(report, { body }, init).then(
      () => true,
      () => false,
    ),
  );
