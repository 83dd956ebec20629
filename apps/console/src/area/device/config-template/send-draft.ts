import { keepDraft } from '../../task/action/draft.ts';
import type { ConfigTemplate } from './config-template.calls.ts';
import { devicesOf, type useSites } from './template-target.tsx';

/** Stores a task that sends the devices of a template what all their templates make. Returns its id for the URL. */
export const sendDraft = (template: ConfigTemplate, sites: ReturnType<typeof useSites>): string =>
  keepDraft({
    action: 'configUpdate',
    params: { by: 'template' },
    target: devicesOf(template, sites),
    count: template.devices,
    name: template.targetName ?? undefined,
  });
