import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { getCaptcha, getCaptchaImage, getCaptchaWork, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { CaptchaService } from './captcha.service.ts';

@Controller()
export class CaptchaController {
  constructor(private readonly captchas: CaptchaService) {}

  @Handle(getCaptcha)
  async captcha(): Promise<RouteReturn<typeof getCaptcha>> {
    const { key, svg } = await this.captchas.makeImage();
    return { key, image: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
  }

  /** Without a key the image can be seen but not answered. */
  @Handle(getCaptchaImage)
  async image(
    { query }: RouteInput<typeof getCaptchaImage>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.header('content-type', getCaptchaImage.file).header('cache-control', 'no-store');
    return (await this.captchas.makeImage(query.key ?? query.randomStr)).svg;
  }

  @Handle(getCaptchaWork)
  work(): Promise<RouteReturn<typeof getCaptchaWork>> {
    return this.captchas.makeWork();
  }
}
