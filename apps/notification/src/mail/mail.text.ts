import { languages, type MailData, type MailTemplate, type Text } from '@carillon/contracts';
import { wordsOf } from '../message/message.text.ts';

export interface MailText {
  subject: Text;
  lines: (data: Record<string, unknown>) => readonly Text[];
  /** Additional values for its placeholders. */
  values?: (data: Record<string, unknown>) => Record<string, unknown>;
  /** Label of the link. */
  button?: Text;
  after?: readonly Text[];
}

const unasked: Text = {
  en_US: 'If you did not request this, ignore this email. Nothing changes.',
  zh_CN: '如果这不是您的操作，请忽略此邮件，不会有任何更改。',
  ko: '요청하지 않으셨다면 이 이메일을 무시하세요. 아무것도 변경되지 않습니다.',
  pt_BR: 'Se você não pediu isto, ignore este e-mail. Nada muda.',
};
const once: Text = {
  en_US: 'The link works once and expires in {days} days.',
  zh_CN: '该链接仅可使用一次，{days} 天内有效。',
  ko: '이 링크는 한 번만 사용할 수 있으며 {days}일 동안 유효합니다.',
  pt_BR: 'O link funciona uma vez e expira em {days} dias.',
};
const notYou: Text = {
  en_US: 'If this was not you, reset your password at once and tell your administrator.',
  zh_CN: '如果这不是您本人操作，请立即重置密码并告知管理员。',
  ko: '본인이 아니라면 즉시 비밀번호를 재설정하고 관리자에게 알리세요.',
  pt_BR: 'Se não foi você, redefina a senha já e avise o administrador.',
};

type Alarms = MailData<'alarms'>;
const levelWords: Record<Alarms['alarms'][number]['level'], Text> = {
  high: { en_US: 'High', zh_CN: '高', ko: '높음', pt_BR: 'Alto' },
  medium: { en_US: 'Medium', zh_CN: '中', ko: '보통', pt_BR: 'Médio' },
  low: { en_US: 'Low', zh_CN: '低', ko: '낮음', pt_BR: 'Baixo' },
};
const causeWords: Record<Alarms['alarms'][number]['cause'], Text | undefined> = {
  server: { en_US: 'Server {cause}', zh_CN: '服务器 {cause}', ko: '서버 {cause}', pt_BR: 'Servidor {cause}' },
  site: { en_US: 'Site {cause}', zh_CN: '站点 {cause}', ko: '사이트 {cause}', pt_BR: 'Local {cause}' },
  gateway: { en_US: 'Gateway {cause}', zh_CN: '网关 {cause}', ko: '게이트웨이 {cause}', pt_BR: 'Gateway {cause}' },
  none: undefined,
};
const inAll = (text: (language: (typeof languages)[number]) => string): Text =>
  Object.fromEntries(languages.map((l) => [l, text(l)])) as Record<(typeof languages)[number], string>;
/** Gives the placeholders of one line their own names beside those of other lines. */
const ofLine = (text: string, n: number): string => text.replace(/\{(\w+)\}/g, `{a${n}_$1}`);
const alarmLine = ({ type, level, devices, cause, values }: Alarms['alarms'][number], n: number): Text => {
  const { title, content } = wordsOf(type, devices, values);
  return inAll((l) =>
    [levelWords[level][l], title[l], ofLine(content[l], n), ofLine(causeWords[cause]?.[l] ?? '', n)]
      .filter((part) => part !== '')
      .join(' · '),
  );
};
/** Unknown values become empty. */
const blank = {
  days: '',
  reason: '',
  version: '',
  account: '',
  percent: '',
  count: '',
  total: '',
  unwell: '',
  done: '',
};
const alarmValues = ({ alarms }: Alarms): Record<string, unknown> =>
  Object.fromEntries(
    alarms.flatMap(({ values, object, causeName }, n) =>
      Object.entries({ ...blank, ...values, object, cause: causeName }).map(([key, value]) => [
        `a${n}_${key}`,
        value ?? '',
      ]),
    ),
  );

/** Texts of mails in four languages. Placeholders such as `{name}` are filled in as plain characters. */
export const mailTexts = {
  frame: {
    greeting: { en_US: 'Hello {name},', zh_CN: '{name}，您好：', ko: '{name}님, 안녕하세요.', pt_BR: 'Olá, {name},' },
    footer: {
      en_US: 'This email was sent by the device management platform. Replies are not read.',
      zh_CN: '此邮件由设备管理平台自动发送，请勿回复。',
      ko: '이 이메일은 장치 관리 플랫폼에서 자동 발송되었습니다. 회신하지 마세요.',
      pt_BR: 'Este e-mail foi enviado pela plataforma de gestão de dispositivos. As respostas não são lidas.',
    },
  },
  activation: {
    subject: {
      en_US: 'Activate your account',
      zh_CN: '激活您的账号',
      ko: '계정을 활성화하세요',
      pt_BR: 'Ative sua conta',
    },
    lines: () => [
      {
        en_US: '{company} created an account for you. Open the link and choose a password to activate it.',
        zh_CN: '{company} 已为您创建账号。请打开链接并设置密码以激活。',
        ko: '{company}에서 계정을 만들었습니다. 링크를 열고 비밀번호를 설정하면 활성화됩니다.',
        pt_BR: '{company} criou uma conta para você. Abra o link e escolha uma senha para ativá-la.',
      },
      once,
    ],
    button: { en_US: 'Activate account', zh_CN: '激活账号', ko: '계정 활성화', pt_BR: 'Ativar conta' },
  },
  passwordReset: {
    subject: {
      en_US: 'Reset your password',
      zh_CN: '重置您的密码',
      ko: '비밀번호를 재설정하세요',
      pt_BR: 'Redefina sua senha',
    },
    lines: () => [
      {
        en_US: 'We received a request to reset the password of your account.',
        zh_CN: '我们收到了重置您账号密码的请求。',
        ko: '계정의 비밀번호 재설정이 요청되었습니다.',
        pt_BR: 'Recebemos um pedido para redefinir a senha da sua conta.',
      },
      once,
    ],
    button: {
      en_US: 'Choose a new password',
      zh_CN: '设置新密码',
      ko: '새 비밀번호 설정',
      pt_BR: 'Escolher nova senha',
    },
    after: [unasked],
  },
  emailChange: {
    subject: {
      en_US: 'Confirm your new email address',
      zh_CN: '确认您的新邮箱',
      ko: '새 이메일 주소를 확인하세요',
      pt_BR: 'Confirme seu novo e-mail',
    },
    lines: () => [
      {
        en_US: 'Open the link to confirm this address as the email of your account.',
        zh_CN: '此地址将作为您账号的邮箱。请打开链接以确认。',
        ko: '이 주소가 계정의 이메일로 사용됩니다. 링크를 열어 확인하세요.',
        pt_BR: 'Abra o link para confirmar este endereço como o e-mail da sua conta.',
      },
      once,
    ],
    button: { en_US: 'Confirm address', zh_CN: '确认邮箱', ko: '주소 확인', pt_BR: 'Confirmar endereço' },
    after: [unasked],
  },
  emailChanged: {
    subject: {
      en_US: 'Your email address was changed',
      zh_CN: '您的邮箱已更改',
      ko: '이메일 주소가 변경되었습니다',
      pt_BR: 'Seu e-mail foi alterado',
    },
    lines: () => [
      {
        en_US: 'The email of your account is now {email}. This address is no longer used.',
        zh_CN: '您账号的邮箱已改为 {email}，此地址不再使用。',
        ko: '계정 이메일이 {email}(으)로 변경되었습니다. 이 주소는 더 이상 사용되지 않습니다.',
        pt_BR: 'O e-mail da sua conta agora é {email}. Este endereço não é mais usado.',
      },
      notYou,
    ],
  },
  passwordChanged: {
    subject: {
      en_US: 'Your password was changed',
      zh_CN: '您的密码已更改',
      ko: '비밀번호가 변경되었습니다',
      pt_BR: 'Sua senha foi alterada',
    },
    lines: () => [
      {
        en_US: 'The password of your account was changed, and all sessions were signed out.',
        zh_CN: '您账号的密码已更改，所有会话均已退出登录。',
        ko: '계정 비밀번호가 변경되었고 모든 세션이 로그아웃되었습니다.',
        pt_BR: 'A senha da sua conta foi alterada, e todas as sessões foram encerradas.',
      },
      notYou,
    ],
  },
  test: {
    subject: { en_US: 'Test email', zh_CN: '测试邮件', ko: '테스트 이메일', pt_BR: 'E-mail de teste' },
    lines: () => [
      {
        en_US: 'The email server {host} accepts emails of the device management platform.',
        zh_CN: '邮件服务器 {host} 可以为设备管理平台发送邮件。',
        ko: '이메일 서버 {host}에서 장치 관리 플랫폼의 이메일을 보낼 수 있습니다.',
        pt_BR: 'O servidor de e-mail {host} aceita os e-mails da plataforma de gestão de dispositivos.',
      },
    ],
  },
  code: {
    subject: {
      en_US: 'Your verification code',
      zh_CN: '您的验证码',
      ko: '인증 코드',
      pt_BR: 'Seu código de verificação',
    },
    lines: ({ purpose }) => [
      purpose === 'open'
        ? {
            en_US: 'Use this code to turn on two-step verification for your company:',
            zh_CN: '使用此验证码为您的公司开启两步验证：',
            ko: '이 코드로 회사의 2단계 인증을 켭니다.',
            pt_BR: 'Use este código para ativar a verificação em duas etapas na sua empresa:',
          }
        : purpose === 'close'
          ? {
              en_US: 'Use this code to turn off two-step verification for your company:',
              zh_CN: '使用此验证码为您的公司关闭两步验证：',
              ko: '이 코드로 회사의 2단계 인증을 끕니다.',
              pt_BR: 'Use este código para desativar a verificação em duas etapas na sua empresa:',
            }
          : {
              en_US: 'Enter this code to finish signing in:',
              zh_CN: '请输入此验证码以完成登录：',
              ko: '로그인을 완료하려면 이 코드를 입력하세요.',
              pt_BR: 'Digite este código para concluir o login:',
            },
    ],
    after: [
      {
        en_US: 'It is valid for {minutes} minutes. Do not share it with anyone.',
        zh_CN: '{minutes} 分钟内有效，请勿告知他人。',
        ko: '{minutes}분 동안 유효합니다. 누구에게도 알려주지 마세요.',
        pt_BR: 'Vale por {minutes} minutos. Não o informe a ninguém.',
      },
    ],
  },
  alarms: {
    subject: { en_US: 'Alarms: {title}', zh_CN: '告警：{title}', ko: '알람: {title}', pt_BR: 'Alarmes: {title}' },
    lines: (data) => {
      const { alarms, more } = data as unknown as Alarms;
      return [
        {
          en_US: 'This is new since the last email of the notice “{title}”:',
          zh_CN: '自通知“{title}”的上一封邮件以来的新情况：',
          ko: '알림 “{title}”의 지난 이메일 이후 새로운 내용입니다.',
          pt_BR: 'Isto é novo desde o último e-mail do aviso “{title}”:',
        },
        ...alarms.map(alarmLine),
        ...(more > 0
          ? [
              {
                en_US: 'And {more} more. Sign in to see them under Alarms.',
                zh_CN: '另有 {more} 条。请登录后在“告警”中查看。',
                ko: '그 외 {more}건. 로그인하여 알람에서 확인하세요.',
                pt_BR: 'E mais {more}. Entre para vê-los em Alarmes.',
              },
            ]
          : []),
      ];
    },
    values: (data) => alarmValues(data as unknown as Alarms),
  },
} satisfies Record<MailTemplate, MailText> & { frame: { greeting: Text; footer: Text } };
