import { configDraft } from './config-draft.ts';
import type { ConfigTemplate } from './config-template.calls.ts';
import { devicesOf, type useSites } from './template-target.tsx';

/** Stores a task that sends the devices of a template what all their templates make. Returns its id for the URL. */
export const sendDraft = (template: ConfigTemplate, sites: ReturnType<typeof useSites>): string =>
  configDraft(devicesOf(template, sites), template.devices, template.targetName ?? undefined);
