import { forms } from 'virtual:actions/forms';
import type { ParamField } from './params.ts';

/** Returns the action that brings such files to devices. */
export const fileAction = (noun: NonNullable<ParamField['noun']>): string | undefined =>
  Object.keys(forms).find((action) => forms[action]!.some((field) => field.noun === noun));
