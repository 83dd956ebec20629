import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Login". An unknown account and a wrong password are one error on purpose (AUTH-06). */
export const authErrors = defineErrors('auth', {
  accountLocked: { status: 400, en_US: 'The account is locked for 30 minutes. Try again later.', zh_CN: '账号已锁定 30 分钟，请稍后再试。', ko: '계정이 30분 동안 잠겼습니다. 나중에 다시 시도하세요.', pt_BR: 'A conta está bloqueada por 30 minutos. Tente mais tarde.' },
  notActivated: { status: 400, en_US: 'The user has not been activated.', zh_CN: '用户未激活。', ko: '사용자가 활성화되지 않았습니다.', pt_BR: 'O usuário não foi ativado.' },
  disabled: { status: 400, en_US: 'The user is disabled.', zh_CN: '用户已被禁用。', ko: '사용이 중지된 사용자입니다.', pt_BR: 'O usuário está desativado.' },
  wrongCredentials: { status: 400, en_US: 'Wrong account or password.', zh_CN: '账号或密码错误。', ko: '계정 또는 비밀번호가 올바르지 않습니다.', pt_BR: 'Conta ou senha incorreta.' },
  logonFailure: { status: 400, en_US: 'Logon failed. Log in again.', zh_CN: '登录失败，请重新登录。', ko: '로그온에 실패했습니다. 다시 로그인하세요.', pt_BR: 'Falha no acesso. Entre novamente.' },
  clientInvalid: { status: 400, en_US: 'The client authorization is missing or wrong.', zh_CN: '客户端授权缺失或错误。', ko: '클라이언트 인증이 없거나 잘못되었습니다.', pt_BR: 'A autorização do cliente está ausente ou incorreta.' },
  grantUnsupported: { status: 400, en_US: 'This grant type is not supported.', zh_CN: '不支持此授权类型。', ko: '지원하지 않는 인증 방식입니다.', pt_BR: 'Este tipo de concessão não é aceito.' },
  captchaRequired: { status: 400, en_US: 'The verification code is required.', zh_CN: '需要验证码。', ko: '인증 코드가 필요합니다.', pt_BR: 'O código de verificação é obrigatório.' },
  captchaWrong: { status: 400, en_US: 'The verification code is wrong.', zh_CN: '验证码错误。', ko: '인증 코드가 올바르지 않습니다.', pt_BR: 'O código de verificação está incorreto.' },
  channelNotActive: { status: 400, en_US: 'The channel has not been activated.', zh_CN: '渠道未激活。', ko: '채널이 활성화되지 않았습니다.', pt_BR: 'O canal não foi ativado.' },
  channelLocked: { status: 400, en_US: 'The channel is locked.', zh_CN: '渠道已锁定。', ko: '채널이 잠겨 있습니다.', pt_BR: 'O canal está bloqueado.' },
  channelDeactivated: { status: 400, en_US: 'The channel has been deactivated.', zh_CN: '渠道已停用。', ko: '채널이 비활성화되었습니다.', pt_BR: 'O canal foi desativado.' },
  lockPasswordWrong: { status: 400, en_US: 'Wrong lock password. {left} tries left.', zh_CN: '锁屏密码错误，还可尝试 {left} 次。', ko: '잠금 비밀번호가 올바르지 않습니다. {left}번 더 시도할 수 있습니다.', pt_BR: 'Senha de bloqueio incorreta. Tentativas restantes: {left}.' },
  lockPasswordEmpty: { status: 400, en_US: 'The lock password cannot be empty.', zh_CN: '锁屏密码不能为空。', ko: '잠금 비밀번호를 입력하세요.', pt_BR: 'A senha de bloqueio não pode ficar vazia.' },
  passwordChangeRequired: { status: 403, en_US: 'This password works once. Choose your own first.', zh_CN: '此密码仅可使用一次，请先设置您自己的密码。', ko: '이 비밀번호는 한 번만 사용할 수 있습니다. 먼저 새 비밀번호를 정하세요.', pt_BR: 'Esta senha vale uma única vez. Escolha a sua primeiro.' },
  passwordRule: { status: 400, en_US: 'At least 8 characters with upper and lower case letters, digits and special symbols.', zh_CN: '至少 8 个字符，须包含大小写字母、数字和特殊符号。', ko: '대문자, 소문자, 숫자, 특수 기호를 포함하여 8자 이상이어야 합니다.', pt_BR: 'Pelo menos 8 caracteres com letras maiúsculas e minúsculas, dígitos e símbolos.' },
  passwordsDiffer: { status: 400, en_US: 'The two passwords differ.', zh_CN: '两次输入的密码不一致。', ko: '두 비밀번호가 다릅니다.', pt_BR: 'As duas senhas são diferentes.' },
  passwordSame: { status: 400, en_US: 'The new password equals the old one.', zh_CN: '新密码不能与旧密码相同。', ko: '새 비밀번호가 기존 비밀번호와 같습니다.', pt_BR: 'A nova senha é igual à antiga.' },
  oldPasswordWrong: { status: 400, en_US: 'The current password is wrong.', zh_CN: '当前密码错误。', ko: '현재 비밀번호가 올바르지 않습니다.', pt_BR: 'A senha atual está incorreta.' },
});
