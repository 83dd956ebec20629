import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  addModel,
  deleteModel,
  editModel,
  getModel,
  getModelPicture,
  listModelNames,
  listModels,
  restoreModels,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { modelNames } from './chosen-model.ts';
import { pageOfModels } from './model.queries.ts';
import { ModelService } from './model.service.ts';

@Controller()
export class ModelController {
  constructor(private readonly models: ModelService) {}

  @Handle(listModels) list({ query }: RouteInput<typeof listModels>) {
    return pageOfModels(query);
  }
  @Handle(listModelNames) names() {
    return modelNames();
  }
  @Handle(getModel) get({ params }: RouteInput<typeof getModel>) {
    return this.models.get(params.id);
  }
  /** The URL contains the version, so a browser requests each picture once. */
  @Handle(getModelPicture)
  async picture(
    { params }: RouteInput<typeof getModelPicture>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { bytes, type } = await this.models.picture(params.id);
    void reply
      .header('content-type', type)
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('content-length', bytes.length);
    return bytes;
  }
  @Handle(addModel) add({ body }: RouteInput<typeof addModel>) {
    return this.models.add(body);
  }
  @Handle(editModel) edit({ body }: RouteInput<typeof editModel>) {
    return this.models.edit(body);
  }
  @Handle(deleteModel) delete({ query }: RouteInput<typeof deleteModel>) {
    return this.models.delete(query.id);
  }
  @Handle(restoreModels) restore({ body }: RouteInput<typeof restoreModels>) {
    return this.models.restore(body.ids);
  }
}
