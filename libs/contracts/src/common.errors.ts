import { defineErrors } from './define/error.ts';

/** Answers that any call may give. */
export const commonErrors = defineErrors('common', {
  invalid: { status: 400, en_US: 'Some fields are not valid.', zh_CN: '部分字段无效。', ko: '일부 항목이 올바르지 않습니다.', pt_BR: 'Alguns campos não são válidos.' },
  malformed: { status: 400, en_US: 'The request body is not valid JSON.', zh_CN: '请求内容不是有效的 JSON。', ko: '요청 본문이 올바른 JSON이 아닙니다.', pt_BR: 'O corpo da requisição não é um JSON válido.' },
  tokenInvalid: { status: 401, en_US: 'The session has ended. Log in again.', zh_CN: '会话已结束，请重新登录。', ko: '세션이 종료되었습니다. 다시 로그인하세요.', pt_BR: 'A sessão terminou. Entre novamente.' },
  forbidden: { status: 403, en_US: 'You do not have the right “{permission}”.', zh_CN: '您没有“{permission}”权限。', ko: '“{permission}” 권한이 없습니다.', pt_BR: 'Você não tem a permissão “{permission}”.' },
  notFound: { status: 404, en_US: 'This does not exist or is not yours.', zh_CN: '该对象不存在或不属于您。', ko: '존재하지 않거나 접근할 수 없는 항목입니다.', pt_BR: 'Isto não existe ou não é seu.' },
  routeUnknown: { status: 404, en_US: 'There is no such call.', zh_CN: '没有此接口。', ko: '존재하지 않는 호출입니다.', pt_BR: 'Esta chamada não existe.' },
  methodNotAllowed: { status: 405, en_US: 'This call does not take the method {method}.', zh_CN: '此接口不支持 {method} 方法。', ko: '이 호출은 {method} 메서드를 지원하지 않습니다.', pt_BR: 'Esta chamada não aceita o método {method}.' },
  notHttp: { status: 400, en_US: 'The request is not valid HTTP.', zh_CN: '请求不是有效的 HTTP。', ko: '올바른 HTTP 요청이 아닙니다.', pt_BR: 'A requisição não é HTTP válido.' },
  tooSlow: { status: 408, en_US: 'The request did not arrive in time.', zh_CN: '请求未能及时到达。', ko: '요청이 제시간에 도착하지 않았습니다.', pt_BR: 'A requisição não chegou a tempo.' },
  tooLarge: { status: 413, en_US: 'The request is larger than {limit} bytes.', zh_CN: '请求超过 {limit} 字节。', ko: '요청이 {limit}바이트를 초과합니다.', pt_BR: 'A requisição passa de {limit} bytes.' },
  mediaType: { status: 415, en_US: 'The body must be JSON in UTF-8.', zh_CN: '请求内容必须为 UTF-8 编码的 JSON。', ko: '본문은 UTF-8 JSON이어야 합니다.', pt_BR: 'O corpo deve ser JSON em UTF-8.' },
  locked: { status: 423, en_US: 'The session is locked. Unlock it first.', zh_CN: '会话已锁定，请先解锁。', ko: '세션이 잠겨 있습니다. 먼저 잠금을 해제하세요.', pt_BR: 'A sessão está bloqueada. Desbloqueie-a primeiro.' },
  tooMany: { status: 429, en_US: 'Too many requests. Try again in {seconds} s.', zh_CN: '请求过多，请在 {seconds} 秒后重试。', ko: '요청이 너무 많습니다. {seconds}초 후에 다시 시도하세요.', pt_BR: 'Requisições demais. Tente de novo em {seconds} s.' },
  headersTooLarge: { status: 431, en_US: 'The request headers are too large.', zh_CN: '请求头过大。', ko: '요청 헤더가 너무 큽니다.', pt_BR: 'Os cabeçalhos da requisição são grandes demais.' },
  unknown: { status: 500, en_US: 'Unknown error.', zh_CN: '未知错误。', ko: '알 수 없는 오류입니다.', pt_BR: 'Erro desconhecido.' },
  unavailable: { status: 503, en_US: 'The service is not available now. Try again in a moment.', zh_CN: '服务暂不可用，请稍后重试。', ko: '지금은 서비스를 사용할 수 없습니다. 잠시 후 다시 시도하세요.', pt_BR: 'O serviço não está disponível agora. Tente novamente em instantes.' },
  fieldRequired: { status: 400, en_US: 'Required.', zh_CN: '必填。', ko: '필수 항목입니다.', pt_BR: 'Obrigatório.' },
  fieldType: { status: 400, en_US: 'Not the right kind of value.', zh_CN: '值的类型不正确。', ko: '값의 형식이 올바르지 않습니다.', pt_BR: 'Tipo de valor incorreto.' },
  fieldTooShort: { status: 400, en_US: 'At least {minimum} needed.', zh_CN: '至少需要 {minimum}。', ko: '최소 {minimum} 이상이어야 합니다.', pt_BR: 'São necessários pelo menos {minimum}.' },
  fieldTooLong: { status: 400, en_US: 'At most {maximum} allowed.', zh_CN: '最多允许 {maximum}。', ko: '최대 {maximum}까지 가능합니다.', pt_BR: 'São permitidos no máximo {maximum}.' },
  fieldFormat: { status: 400, en_US: 'Not in the right format.', zh_CN: '格式不正确。', ko: '형식이 올바르지 않습니다.', pt_BR: 'Formato incorreto.' },
  fieldValue: { status: 400, en_US: 'Not one of the allowed values.', zh_CN: '不是允许的值。', ko: '허용된 값이 아닙니다.', pt_BR: 'Não é um dos valores permitidos.' },
  fieldUnknown: { status: 400, en_US: 'This field is not known.', zh_CN: '未知字段。', ko: '알 수 없는 항목입니다.', pt_BR: 'Este campo não é conhecido.' },
});
