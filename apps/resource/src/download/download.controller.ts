import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toLanguage } from '@carillon/contracts';
import { Failure, languageHeader, toAnswer } from '@carillon/service';
import { Downloads } from './download.service.ts';

/** So long a device waits that finds no place. */
const waitSeconds = 10;

/** Beside the contracts: who loads has no session, and the link says all (`downloadPath`). HEAD goes along. */
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
    // Written here: ten thousand who wait are no ten thousand lines in the log.
    const language = (request.headers[languageHeader] as string | undefined) ?? request.headers['accept-language'];
    void reply
      .status(503)
      .header('retry-after', waitSeconds)
      .send(toAnswer(new Failure('common.unavailable'), toLanguage(language), request.id));
  }
}
