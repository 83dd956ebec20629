import { Controller } from '@nestjs/common';
import {
  addConfigTemplate,
  deleteConfigTemplate,
  editConfigTemplate,
  getConfigTemplate,
  getKeyLayout,
  listConfigLocks,
  listConfigTemplates,
  listConfigTemplateVersions,
  previewConfigTemplate,
  previewKeyCopy,
  restoreConfigTemplates,
  rollBackConfigTemplate,
  uploadMacFiles,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { layoutOfTarget } from '../device-model/key-layout.ts';
import { ConfigTemplateService } from './config-template.service.ts';
import { keyCopyOf } from './key-copy.ts';
import { MacFileService } from './mac-file.service.ts';
import { versionsOf } from './config-template.version.ts';

@Controller()
export class ConfigTemplateController {
  constructor(
    private readonly templates: ConfigTemplateService,
    private readonly macFiles: MacFileService,
  ) {}

  @Handle(listConfigTemplates) list({ query }: RouteInput<typeof listConfigTemplates>) {
    return this.templates.list(query);
  }
  @Handle(listConfigTemplateVersions) versions({ query }: RouteInput<typeof listConfigTemplateVersions>) {
    return versionsOf(query);
  }
  @Handle(previewConfigTemplate) preview({ query }: RouteInput<typeof previewConfigTemplate>) {
    return this.templates.preview(query);
  }
  @Handle(rollBackConfigTemplate) rollBack({ body }: RouteInput<typeof rollBackConfigTemplate>) {
    return this.templates.rollBack(body);
  }
  @Handle(uploadMacFiles) upload({ body }: RouteInput<typeof uploadMacFiles>) {
    return this.macFiles.upload(body);
  }
  @Handle(listConfigLocks) locks() {
    return this.templates.locks();
  }
  @Handle(getKeyLayout) keyLayout({ query }: RouteInput<typeof getKeyLayout>) {
    return layoutOfTarget(query);
  }
  @Handle(previewKeyCopy) keyCopy(input: RouteInput<typeof previewKeyCopy>) {
    return keyCopyOf(input);
  }
  @Handle(getConfigTemplate) get({ params }: RouteInput<typeof getConfigTemplate>) {
    return this.templates.get(params.id);
  }
  @Handle(addConfigTemplate) add({ body }: RouteInput<typeof addConfigTemplate>) {
    return this.templates.add(body);
  }
  @Handle(editConfigTemplate) edit({ body }: RouteInput<typeof editConfigTemplate>) {
    return this.templates.edit(body);
  }
  @Handle(deleteConfigTemplate) delete({ query }: RouteInput<typeof deleteConfigTemplate>) {
    return this.templates.delete(query.id);
  }
  @Handle(restoreConfigTemplates) restore({ body }: RouteInput<typeof restoreConfigTemplates>) {
    return this.templates.restore(body.ids);
  }
}
