import type { ConfigTemplate } from './config-template.calls.ts';
import { TemplateSettings } from './template-settings.tsx';
import { TemplateVersions } from './template-versions.tsx';

/** The settings of a template and its versions, in its drawer. */
export default function TemplateMore({ template }: { template: ConfigTemplate }) {
  return (
    <>
      <TemplateSettings template={template} />
      <TemplateVersions template={template} />
    </>
  );
}
