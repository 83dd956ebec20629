import { Controller, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { RouteInput, UploadRoutes, UploadRules } from '@carillon/contracts';
import { tusVersion } from '@carillon/contracts/constants';
import { CONFIG, fail, Handle } from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import { UploadService } from './upload.service.ts';

/** Returns the file name of `filename bmFtZQ==,other` (tus 1.0.0, Upload-Metadata). */
function fileNameOf(header: string): string {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '));
  const text = pairs.find(([key]) => key === 'filename')?.[1] ?? '';
  const bytes = Buffer.from(text, 'base64');
  const name = bytes.toString('utf8');
  if (name === '' || name.includes('\0') || !Buffer.from(name).equals(bytes)) wrong('Upload-Metadata');
  return name;
}
const wrong = (header: string): never => fail('upload.headers', { header });

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : wrong(name);
}
function numberOf(request: FastifyRequest, name: string): number {
  const text = headerOf(request, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : wrong(name);
}

/** Creates the controller for uploads of a noun; files of a `secret` noun are sealed in the store. */
export function uploadController(
  noun: string,
  routes: UploadRoutes,
  rulesOf: (config: ResourceConfig) => UploadRules,
  secret = false,
): Type<unknown> {
  const opened = (request: FastifyRequest, reply: FastifyReply): void => {
    void reply.header('tus-resumable', tusVersion).header('cache-control', 'no-store');
    if (headerOf(request, 'Tus-Resumable') !== tusVersion) wrong('Tus-Resumable');
  };
  const expires = (reply: FastifyReply, at: string): void => {
    void reply.header('upload-expires', new Date(at).toUTCString());
  };

  @Controller()
  class UploadController {
    constructor(
      @Inject(UploadService) private readonly uploads: UploadService,
      @Inject(CONFIG) private readonly config: ResourceConfig,
    ) {}

    @Handle(routes.rules) rules() {
      return this.uploads.rules(rulesOf(this.config));
    }

    @Handle(routes.add)
    async add(
      _: RouteInput<UploadRoutes['add']>,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      opened(request, reply);
      const size = numberOf(request, 'Upload-Length');
      const name = fileNameOf(headerOf(request, 'Upload-Metadata'));
      const { id, expiresAt } = await this.uploads.add(noun, rulesOf(this.config), name, size, secret);
      void reply.header('location', `${routes.add.path}/${id}`);
      expires(reply, expiresAt);
      return { id };
    }

    @Handle(routes.offset)
    async offset(
      { params }: RouteInput<UploadRoutes['offset']>,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      opened(request, reply);
      const { offset, size, expiresAt } = await this.uploads.offset(noun, params.id);
      void reply.header('upload-offset', String(offset)).header('upload-length', String(size));
      expires(reply, expiresAt);
      return null;
    }

    @Handle(routes.part)
    async part(
      { params }: RouteInput<UploadRoutes['part']>,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      opened(request, reply);
      const at = numberOf(request, 'Upload-Offset');
      const body = request.body as Readable | undefined;
      if (!body) fail('common.mediaType');
      void reply.header('upload-offset', String(await this.uploads.part(noun, params.id, at, body)));
      return null;
    }

    @Handle(routes.remove)
    async remove(
      { params }: RouteInput<UploadRoutes['remove']>,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      opened(request, reply);
      return this.uploads.remove(noun, params.id);
    }
  }
  return UploadController;
}
