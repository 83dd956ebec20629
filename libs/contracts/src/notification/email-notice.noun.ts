import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** Who receives mails about which alarms (NOTE-03). */
export const emailNotice = defineNoun({
  name: 'emailNotice',
  title: 'Email notices',
  where: {
    does: 'Email notices: who is told of alarms by mail, at once or once a day; a storm is one mail',
    folders: [
      'apps/notification/src/email-notice',
      'apps/auth/src/group-mail',
      'apps/console/src/area/system/email-notice',
    ],
  },
  example: {
    title: 'Example',
    emails: ['night@example.com'],
    roleIds: [],
    userIds: [],
    sendType: 'immediate',
    time: null,
    zone: null,
    kinds: [],
    level: 'low',
    enabled: true,
  },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.emailNotices', path: '/system/emailNotice', icon: 'mail', before: 'operationLog' },
});

export const emailNoticeErrors = defineErrors('emailNotice', {
  nobody: {
    status: 400,
    en_US: 'Enter an email address, or choose a role or a user.',
    zh_CN: '请输入邮箱地址，或选择角色或用户。',
    ko: '이메일 주소를 입력하거나 역할 또는 사용자를 선택하세요.',
    pt_BR: 'Informe um e-mail ou escolha uma função ou um usuário.',
    help: ['The notice goes to nobody.', 'Enter an email address, or choose a role or a user.'],
  },
  timeMissing: {
    status: 400,
    en_US: 'Enter the time of day and its time zone.',
    zh_CN: '请填写发送时间及其时区。',
    ko: '발송 시각과 시간대를 입력하세요.',
    pt_BR: 'Informe o horário e o fuso.',
    help: ['A daily notice has no time, or no time zone.', 'Enter both, for example 08:00 and Europe/Berlin.'],
  },
  tooMany: {
    status: 409,
    en_US: 'The company has {count} email notices already, and no more are possible.',
    zh_CN: '公司已有 {count} 条邮件通知，不能再增加。',
    ko: '회사에 이메일 알림이 이미 {count}개 있어 더 추가할 수 없습니다.',
    pt_BR: 'A empresa já tem {count} avisos por e-mail, e não são possíveis mais.',
    help: [
      'Each notice may send a mail to each of its addresses, so that there is a bound.',
      'Delete one that is not used any more, or add the addresses to another.',
    ],
  },
  zoneUnknown: {
    status: 400,
    en_US: 'This time zone is not known.',
    zh_CN: '未知的时区。',
    ko: '알 수 없는 시간대입니다.',
    pt_BR: 'Este fuso horário não é conhecido.',
    help: ['The time zone is none of the tz database.', 'Choose one from the list, for example Asia/Seoul.'],
  },
});
