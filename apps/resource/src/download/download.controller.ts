import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toLanguage } from '@carillon/contracts';
import { Failure, languageHeader, toAnswer } from '@carillon/service';
import { Downloads } from './download.service.ts';

/** Retry-After for a device without a slot, seconds. */
const waitSeconds = 10;

/**
 * Outside of the contracts: a device has no session, and the link authorizes it (`downloadPath`). Also answers HEAD.
 */
@Controller()
export class DownloadController {
  constructor(private readonly downloads: Downloads) {}

  @Get('f/:token/:name')
  async load(
    @Param('token') token: string,
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (await this.downloads.answer(token, name, request, reply)) return;
    // Answered here, so that ten thousand waiting devices do not log ten thousand lines.
    const language = (request.headers[languageHeader] as string | undefined) ?? request.headers['accept-language'];
    void reply
      .status(503)
      .header('retry-after', waitSeconds)
      .send(toAnswer(new Failure('common.unavailable'), toLanguage(language), request.id));
  }
}
