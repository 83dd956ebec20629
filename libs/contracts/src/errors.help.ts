import { authHelp } from './auth/auth.help.ts';
import type { ErrorEntry } from './define/error.ts';
import { errorCatalogue, type ErrorKey } from './errors.ts';

/** Cause and cure of each error, for `docs/errors`. Not used at run time. */
export const errorHelp: Partial<Record<ErrorKey, NonNullable<ErrorEntry['help']>>> = {
  // A noun declares them beside the texts of its errors.
  ...Object.fromEntries(
    Object.entries<ErrorEntry>(errorCatalogue).flatMap(([key, { help }]) => (help ? [[key, help]] : [])),
  ),
  ...authHelp,
  'common.invalid': [
    'A field is missing, unknown or not in its form; `data.fields` names each with its own error.',
    'Correct the fields that are named and send the call again.',
  ],
  'common.malformed': [
    'The body is no JSON, or JSON that is not safe to take.',
    'Send one JSON document in UTF-8 without `__proto__`.',
  ],
  'common.tokenInvalid': [
    'No token, one that is over, revoked or of someone else, or two in one request that differ.',
    'Log in again; send the same token in every header that carries one.',
  ],
  'common.forbidden': [
    "The caller's roles, or the scopes of their token, lack the named permission.",
    'Have an administrator add the right to one of your roles; with a token, add the scope.',
  ],
  'common.notFound': [
    'The id is unknown, deleted, of another company or of an organization that the caller does not see. These are not told apart.',
    'Check the id and the chosen organization.',
  ],
  'common.routeUnknown': ['No call has this path.', 'Look the path up in `/api/docs`; a slash at the end counts.'],
  'common.methodNotAllowed': ['The path is known by another method.', 'Look the method up in `/api/docs`.'],
  'common.notHttp': ['What came in could not be read as HTTP/1.1.', 'Check the client or the proxy before this one.'],
  'common.tooSlow': [
    'Headers or body took longer than the gateway waits.',
    'Send the request in one go; look at the line between.',
  ],
  'common.hostName': [
    'An address was written with a scheme, a port, a path or characters that no host has.',
    'Write the host name or the IP address alone; the port has a field of its own.',
  ],
  'common.tooLarge': ['The body is over the limit of its call.', 'Send less at once.'],
  'common.tooWide': [
    'A list took longer than 15 s, because its search or filters match too much.',
    'Use fewer or narrower filters, or an export.',
  ],
  'common.mediaType': [
    'The content type is not `application/json` (a form where one is taken), or the text is not UTF-8.',
    'Set `content-type: application/json` and encode in UTF-8.',
  ],
  'common.locked': ['The session was locked with a lock password.', 'Unlock it, or log out.'],
  'common.tooMany': [
    'More requests in a minute than this caller, address or call may make.',
    'Wait the seconds named, also in `retry-after`, and send fewer.',
  ],
  'common.headersTooLarge': [
    'All headers together are over the limit.',
    'Send fewer or shorter headers; clear old cookies.',
  ],
  'common.restoreOver': ['More than five minutes have passed, or someone else deleted it.', 'Add it again.'],
  'common.unknown': [
    'A fault of the server; it is in its log under the request id.',
    'Try again; give the request id to who runs the installation.',
  ],
  'common.saveFailed': ['The change could not be stored.', 'Try again; the request id leads to the reason in the log.'],
  'common.addFailed': [
    'The new record could not be stored.',
    'Try again; the request id leads to the reason in the log.',
  ],
  'common.updateFailed': ['The record could not be changed.', 'Load it again and retry.'],
  'common.deleteFailed': ['The record could not be deleted.', 'Load the list again and try again.'],
  'common.operationFailed': [
    'What was asked for could not be done.',
    'Try again; the request id leads to the reason in the log.',
  ],
  'common.unavailable': [
    'The service behind this call, its database or the bus does not answer.',
    'Try again after `retry-after`; `./carillon status` tells what is not ready.',
  ],
  'common.fieldRequired': ['The field is not there.', 'Send it.'],
  'common.fieldType': ['The field has another type than its contract.', 'Look the type up in `/api/docs`.'],
  'common.fieldTooShort': ['The text, list or number is below its least.', 'Send at least what is named.'],
  'common.fieldTooLong': ['The text, list or number is over its most.', 'Send at most what is named.'],
  'common.fieldFormat': ['The text has not the form of its field.', 'Look the form up in `/api/docs`.'],
  'common.fieldValue': ['The value is none of those that the field may have.', 'Take one of the list in `/api/docs`.'],
  'common.fieldUnknown': ['The call knows no field of this name.', 'Leave it out, or look for a misspelling.'],
  'device.macFormat': [
    'After colons and dashes are taken out there are not 12 hex digits.',
    'Read the MAC from the label of the device.',
  ],
  'device.macNotOwn': [
    'All digits are zero, or the lowest bit of the first byte says that it is a group of devices.',
    'Read the MAC from the label of the device.',
  ],
  'device.macNotFound': ['No device of the company has this MAC.', 'Check it, or add the device.'],
  'device.macTaken': [
    'The MAC is not free in this installation. Refusals are counted, and after some in an hour nothing more is looked up.',
    'Look for it in the list; else ask who runs the installation.',
  ],
  'device.linesFull': [
    'No line was named, and none of the device is free.',
    'Name the line whose account is to be replaced, or free one first.',
  ],
  'device.restoreOver': [
    'More than five minutes have passed, another user deleted the devices, or they have been added again.',
    'Add the device again; it gets a new secret.',
  ],
  'device.pushTargetMissing': ['The device was deleted or moved since it was chosen.', 'Load the list again.'],
  'device.hasRunningTask': [
    'Another task that changes the device is under way, or waits to go first.',
    'Wait for its end, stop it, or order a task without `push`: it queues behind, oldest first.',
  ],
  'device.offline': [
    'The device has no connection to the platform.',
    'Check its power, network and server address; a task without `push` waits for it.',
  ],
  'task.createFailed': ['Nothing matches what the task is for.', 'Widen the filter or choose devices.'],
  'task.nothingToRollBack': [
    'Its devices have the earlier version, or the list of firmware has no image of it for their models.',
    'Add the image to the list of firmware.',
  ],
  'task.notStoppable': [
    'All devices of the task are done.',
    'Nothing is left to stop; run it again if that was meant.',
  ],
  'task.notCancellable': ['A device of the task was told already.', 'Stop it: devices that wait are spared.'],
  'task.partlySeen': [
    'A device of the task is in an organization that you do not see, or you chose one organization.',
    'Choose all organizations, or ask who created the task.',
  ],
  'task.fileMissing': [
    'The file that the task names is unknown, deleted, or of another company.',
    'Choose one that is in the list of firmware, of resource files or of configuration files; tasks know it a moment after it was added.',
  ],
  'task.paramsInvalid': ['The settings do not fit the action.', "Look the action's settings up in `/api/docs`."],
  'mail.sendFailure': [
    'The mail server refused the mail, or could not be reached in time.',
    "Return to the login and try again; the operation log of the installation tells the server's words.",
  ],
  'mail.notConfigured': ['No mail server is set up.', 'Set one up; what waits goes out then.'],
  'mail.expired': ['What the mail said was over before it could be sent.', 'Ask for it again.'],
  'egs.cardTaken': ['Another card has this ID.', 'Read the ID from the card.'],
  'egs.nameTaken': ['Another entry has this name.', 'Choose another name.'],
  'egs.passwordTaken': ['Another entry opens with this password.', 'Choose another password.'],
  'egs.groupTaken': ['Another group has this name.', 'Choose another name.'],
  'diagnosis.stateAbnormal': [
    'The device did not tell its system state, or told it in a form that could not be read.',
    'Check that it is online, and diagnose again.',
  ],
  'diagnosis.queryAbnormal': ['The device or the store of results did not answer.', 'Try again in a moment.'],
  'file.taken': ['A file of this name is there.', 'Rename it, or delete the older one.'],
  'file.tooLarge': ['The file is over the limit of its kind.', 'Choose a smaller file.'],
  'file.typeWrong': ['Name or content is not of an allowed type.', 'Choose a file of the types that are named.'],
  'file.importFormat': ['Columns or rows are not those of the template.', 'Download the template and fill it in.'],
  'license.notActivated': ['No license was imported yet.', 'Import the private key, then the license file.'],
  'backup.failed': [
    'The database could not be written to the backup folder.',
    "Check the room on the disk and the folder's rights.",
  ],
  'backup.rollbackFailed': [
    'The backup could not be read back; nothing was changed.',
    'Choose another backup; the log tells the reason.',
  ],
  'backup.deleteFailed': ['The file could not be removed.', "Check the folder's rights."],
  'time.ruleInvalid': [
    'The rule has an impossible month, week, day, hour or number of minutes, or is no rule in either form.',
    'Send the object with all its fields, or `mode;start;end`: `1;3/5/0/2;10/5/0/3` by weekday, `0;4/1/0;9/30/24` by date.',
  ],
  'config.logoWrong': [
    'The file is no JPG by its content, or has 100 KB or more.',
    'Export the logo as JPG and make it smaller.',
  ],
  'config.imageWrong': [
    'The file is neither JPG nor PNG by its content, or has 100 KB or more.',
    'Export the picture as JPG or PNG and make it smaller.',
  ],
  'config.faviconWrong': [
    'The file is no icon by its content, or has 10 KB or more.',
    'Make an .ico file with few small pictures.',
  ],
  'config.pixelsMany': [
    'A browser makes room for every pixel, however small the file is.',
    'Make the picture smaller and send it again.',
  ],
  'config.certificateWrong': [
    'The text is not exactly one certificate in PEM.',
    'Send each certificate of a chain as an entry of its own.',
  ],
  'config.certificateExpired': [
    'The certificate was no longer valid when it was added.',
    'Add the one that replaced it.',
  ],
  'config.certificateTwice': ['Two entries of the list are the same certificate.', 'Leave one of them out.'],
  'config.hostWrong': [
    'A host was written with a scheme, a path or characters that no host has.',
    'Write the name or address alone, with a port when it has one.',
  ],
  'config.senderWrong': [
    'The sender is no single mail address.',
    'Write `name@example.com` or `Name <name@example.com>`.',
  ],
  'config.testFailed': [
    'The mail server could not be reached, did not take the login or its certificate is not trusted; the reason is named.',
    'Correct what is named; a certificate of your own goes into the list of certificates.',
  ],
  'config.targetRefused': [
    "The server's name is unknown or means an internal address, or the port is none that such servers use. These are not told apart.",
    'Use the public name and port 25, 465, 587 or 2525; the operator allows others with `CARILLON_OUTBOUND_ALLOWED`.',
  ],
  'config.appHostNotAllowed': [
    'The address of the app has a host that is not in the list of hosts that may be embedded.',
    'Add the host to that list first.',
  ],
  'view.nameTaken': [
    "One of the caller's own views of this list has the name.",
    'Choose another name, or save into that view.',
  ],
  'view.tooMany': ['The caller has as many views of this list as are kept.', 'Delete one of them.'],
  'device.exportsBusy': [
    'So many files that the caller ordered are still being written.',
    'Wait for one, or delete it.',
  ],
};
