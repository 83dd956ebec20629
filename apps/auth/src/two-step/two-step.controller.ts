import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  addPasskey,
  answerLoginPasskey,
  beginLoginPasskey,
  beginPasskey,
  beginTotp,
  closeTwoStep,
  confirmTotp,
  getSecondSteps,
  getTwoStep,
  mailLoginCode,
  mailTwoStepCode,
  openTwoStep,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { context } from '@carillon/tenancy';
import { auditNote, Failure, Handle } from '@carillon/service';
import { LoginService } from '../login/login.service.ts';
import { CompanySteps } from './company-steps.service.ts';
import { OwnSteps } from './own-steps.service.ts';
import { callersLanguage, Tickets } from './ticket.service.ts';

@Controller()
export class TwoStepController {
  constructor(
    private readonly tickets: Tickets,
    private readonly logins: LoginService,
    private readonly company: CompanySteps,
    private readonly own: OwnSteps,
  ) {}

  @Handle(mailLoginCode)
  async mailLogin({ body }: RouteInput<typeof mailLoginCode>): Promise<{ mail: string }> {
    return { mail: await this.tickets.mail(body.key, callersLanguage()) };
  }

  @Handle(beginLoginPasskey)
  beginLogin(
    { body }: RouteInput<typeof beginLoginPasskey>,
    @Req() request: FastifyRequest,
  ): Promise<Record<string, unknown>> {
    return this.tickets.askPasskey(body.key, request);
  }

  @Handle(answerLoginPasskey)
  async answerLogin(
    { body }: RouteInput<typeof answerLoginPasskey>,
    @Req() request: FastifyRequest,
  ): Promise<{ code: string }> {
    return { code: await this.logins.answerPasskey(body.key, body.response, request) };
  }

  @Handle(getTwoStep)
  get(): Promise<RouteReturn<typeof getTwoStep>> {
    return this.company.get();
  }

  @Handle(mailTwoStepCode)
  async mailCode(): Promise<null> {
    await this.company.mailCode();
    return null;
  }

  @Handle(openTwoStep)
  async open({ body }: RouteInput<typeof openTwoStep>): Promise<null> {
    return this.set(true, body.code);
  }

  @Handle(closeTwoStep)
  async close({ body }: RouteInput<typeof closeTwoStep>): Promise<null> {
    return this.set(false, body.code);
  }

  @Handle(getSecondSteps)
  list(): Promise<RouteReturn<typeof getSecondSteps>> {
    return this.own.list();
  }

  @Handle(beginTotp)
  beginTotp({ body }: RouteInput<typeof beginTotp>): Promise<RouteReturn<typeof beginTotp>> {
    return this.own.beginTotp(body.password);
  }

  @Handle(confirmTotp)
  async confirmTotp({ body }: RouteInput<typeof confirmTotp>): Promise<RouteReturn<typeof confirmTotp>> {
    return { recoveryCodes: await this.own.confirmTotp(body.code) };
  }

  @Handle(removeTotp)
  async removeTotp({ body }: RouteInput<typeof removeTotp>): Promise<null> {
    await this.own.removeTotp(body.password);
    return null;
  }

  @Handle(renewRecoveryCodes)
  async renewCodes({ body }: RouteInput<typeof renewRecoveryCodes>): Promise<RouteReturn<typeof renewRecoveryCodes>> {
    return { recoveryCodes: await this.own.renewCodes(body.password) };
  }

  @Handle(beginPasskey)
  beginPasskey(
    { body }: RouteInput<typeof beginPasskey>,
    @Req() request: FastifyRequest,
  ): Promise<Record<string, unknown>> {
    return this.own.beginPasskey(body.password, request);
  }

  @Handle(addPasskey)
  async addPasskey(
    { body }: RouteInput<typeof addPasskey>,
    @Req() request: FastifyRequest,
  ): Promise<RouteReturn<typeof addPasskey>> {
    return { recoveryCodes: await this.own.addPasskey(body.name, body.response, request) };
  }

  @Handle(removePasskey)
  async removePasskey({ body }: RouteInput<typeof removePasskey>): Promise<null> {
    await this.own.removePasskey(body.id, body.password);
    return null;
  }

  private async set(open: boolean, code: string): Promise<null> {
    if (context().userId === null) throw new Failure('common.notFound');
    auditNote({ objectId: context().companyId, detail: { before: { open: !open }, after: { open } } });
    await this.company.set(open, code);
    return null;
  }
}
