import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RouteDefinition, RouteInput, RouteReturn } from '@carillon/contracts';

export const routeMetadata = 'carillon:route';

interface Handled extends FastifyRequest {
  carillonRoute?: RouteDefinition;
  carillonInput?: unknown;
}

export function routeOf(request: FastifyRequest): RouteDefinition | undefined {
  return (request as Handled).carillonRoute;
}

export function setHandled(request: FastifyRequest, route: RouteDefinition, input: unknown): void {
  (request as Handled).carillonRoute = route;
  (request as Handled).carillonInput = input;
}

const Input = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Handled>().carillonInput,
);

const methods = {
  GET: RequestMethod.GET,
  HEAD: RequestMethod.HEAD,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
} as const;

/**
 * Parameters after the input are Nest's own (`@Req()`, `@Res({ passthrough: true })`), for the few handlers that set a
 * header.
 */
type Handler<R extends RouteDefinition> = (
  input: RouteInput<R>,
  ...more: never[]
) => RouteReturn<R> | Promise<RouteReturn<R>>;

/**
 * Answers a route of the contracts: method, path, guard, validation, transaction, audit entry and response format are
 * all derived from it. A handler whose input or output does not match does not compile.
 */
export function Handle<R extends RouteDefinition>(route: R) {
  return <F extends Handler<R>>(target: object, key: string, descriptor: TypedPropertyDescriptor<F>): void => {
    Input()(target, key, 0);
    applyDecorators(
      SetMetadata(routeMetadata, route),
      RequestMapping({ path: route.path.replace(/\{(\w+)\}/g, ':$1'), method: methods[route.method] }),
      HttpCode(route.status ?? 200),
    )(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}
