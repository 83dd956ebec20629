import type { DeviceTarget } from '@carillon/contracts';
import { keepDraft } from '../../task/action/draft.ts';

/** Stores a task that sends devices what their templates make. Returns its id for the URL. */
export const configDraft = (target: DeviceTarget, count: number, name: string | undefined): string =>
  keepDraft({ action: 'configUpdate', params: { by: 'template' }, target, count, name });
