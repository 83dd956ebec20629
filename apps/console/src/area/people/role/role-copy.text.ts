import { defineTexts } from '../../../kit/text/define.ts';

export const roleCopyTexts = defineTexts({
  'roleCopy.action': { en_US: 'Copy', zh_CN: '复制', ko: '복사', pt_BR: 'Copiar' },
  'roleCopy.from': { en_US: 'Start from', zh_CN: '基于', ko: '기준 역할', pt_BR: 'Começar de' },
  'roleCopy.nothing': { en_US: 'No permissions', zh_CN: '无权限', ko: '권한 없음', pt_BR: 'Nenhuma permissão' },
  'roleCopy.name': {
    en_US: 'Copy of {{name}}',
    zh_CN: '{{name}} 的副本',
    ko: '{{name}} 사본',
    pt_BR: 'Cópia de {{name}}',
  },
  'roleCopy.left': {
    en_US: 'Permissions that you don’t have were left out.',
    zh_CN: '您没有的权限已被略去。',
    ko: '본인에게 없는 권한은 제외했습니다.',
    pt_BR: 'As permissões que você não tem ficaram de fora.',
  },
});
