import { defineErrors } from '../define/error.ts';

/** FCS accounts (ACC-03). */
export const fcsErrors = defineErrors('fcs', {
  off: {
    status: 409,
    en_US: 'Your company has no FCS, or this FCS server is no longer offered. Ask the manager of your channel account.',
    zh_CN: '贵公司未启用 FCS，或此 FCS 服务器已不再提供。请联系管理您渠道账户的上级。',
    ko: '회사에 FCS가 없거나 이 FCS 서버가 더 이상 제공되지 않습니다. 채널 계정 관리자에게 문의하세요.',
    pt_BR:
      'Sua empresa não tem FCS, ou este servidor FCS não é mais oferecido. Fale com quem gerencia sua conta de canal.',
    help: [
      'The company is without the FCS flag, FCS is off in the whole installation, or its operator has removed the server.',
      'Have the company above enable FCS for this channel account; the operator enables it under System config.',
    ],
  },
  limit: {
    status: 409,
    en_US:
      'Your company may have {limit} FCS {limit|account|accounts} and uses {used}. Ask for a higher limit, or delete some.',
    zh_CN: '贵公司最多可有 {limit} 个 FCS 账号，已使用 {used} 个。请申请提高上限，或删除部分账号。',
    ko: '회사는 FCS 계정을 최대 {limit}개 가질 수 있으며 {used}개를 사용 중입니다. 한도를 늘리거나 일부를 삭제하세요.',
    pt_BR:
      'Sua empresa pode ter {limit} {limit|conta|contas} FCS e usa {used}. Peça um limite maior ou exclua algumas.',
    help: [
      'The FCS limit of the company, without what it has given on to its channels, is used up.',
      'Have the company above raise fcsLimit, take back what was given to channels, or delete FCS accounts.',
    ],
  },
});
