import { Controller } from '@nestjs/common';
import {
  addTaskTemplate,
  deleteTaskTemplate,
  listTaskTemplates,
  renameTaskTemplate,
  restoreTaskTemplates,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { TaskTemplateService } from './task-template.service.ts';

@Controller()
export class TaskTemplateController {
  constructor(private readonly templates: TaskTemplateService) {}

  @Handle(listTaskTemplates) list() {
    return this.templates.list();
  }
  @Handle(addTaskTemplate) add({ body }: RouteInput<typeof addTaskTemplate>) {
    return this.templates.add(body);
  }
  @Handle(renameTaskTemplate) rename({ params, body }: RouteInput<typeof renameTaskTemplate>) {
    return this.templates.rename(params.id, body.name);
  }
  @Handle(deleteTaskTemplate) delete({ params }: RouteInput<typeof deleteTaskTemplate>) {
    return this.templates.delete(params.id);
  }
  @Handle(restoreTaskTemplates) restore({ body }: RouteInput<typeof restoreTaskTemplates>) {
    return this.templates.restore(body.ids);
  }
}
