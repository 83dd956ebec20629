import { defineTexts } from '../../../kit/text/define.ts';

export const fcsTexts = defineTexts({
  'menu.addFcsAccount': {
    en_US: 'Add FCS account',
    zh_CN: '添加 FCS 账号',
    ko: 'FCS 계정 추가',
    pt_BR: 'Adicionar conta FCS',
  },
  'fcs.accounts': { en_US: 'FCS accounts', zh_CN: 'FCS 账号', ko: 'FCS 계정', pt_BR: 'Contas FCS' },
  'fcs.add': { en_US: 'Add FCS account', zh_CN: '添加 FCS 账号', ko: 'FCS 계정 추가', pt_BR: 'Adicionar conta FCS' },
  'fcs.show': {
    en_US: 'Show FCS accounts',
    zh_CN: '查看 FCS 账号',
    ko: 'FCS 계정 보기',
    pt_BR: 'Ver contas FCS',
  },
  'fcs.server': { en_US: 'FCS server', zh_CN: 'FCS 服务器', ko: 'FCS 서버', pt_BR: 'Servidor FCS' },
  'fcs.serverMissing': {
    en_US: 'Choose an FCS server.',
    zh_CN: '请选择 FCS 服务器。',
    ko: 'FCS 서버를 선택하세요.',
    pt_BR: 'Escolha um servidor FCS.',
  },
  'fcs.used': {
    en_US: '{{used}} of {{limit}} FCS accounts used',
    zh_CN: '已使用 {{used}} 个 FCS 账号，共 {{limit}} 个',
    ko: 'FCS 계정 {{limit}}개 중 {{used}}개 사용 중',
    pt_BR: '{{used}} de {{limit}} contas FCS em uso',
  },
  'fcs.service': {
    en_US: 'FCS service',
    zh_CN: 'FCS 服务',
    ko: 'FCS 서비스',
    pt_BR: 'Serviço FCS',
  },
  'fcs.domain': {
    en_US: 'Domain {{domain}}',
    zh_CN: '域 {{domain}}',
    ko: '도메인 {{domain}}',
    pt_BR: 'Domínio {{domain}}',
  },
  'fcs.full': {
    en_US: 'All of them are used. Ask the manager of your channel account for a higher limit, or delete some.',
    zh_CN: '已全部使用。请联系管理您渠道账号的上级提高上限，或删除部分账号。',
    ko: '모두 사용 중입니다. 채널 계정 관리자에게 한도를 늘려 달라고 요청하거나 일부를 삭제하세요.',
    pt_BR: 'Todas estão em uso. Peça um limite maior a quem gerencia sua conta de canal ou exclua algumas.',
  },
  'fcs.off': {
    en_US: 'Your company has no FCS. Ask the manager of your channel account to enable it.',
    zh_CN: '贵公司未启用 FCS。请联系管理您渠道账号的上级启用。',
    ko: '회사에 FCS가 없습니다. 채널 계정 관리자에게 사용을 요청하세요.',
    pt_BR: 'Sua empresa não tem FCS. Peça a quem gerencia sua conta de canal que o ative.',
  },
  'fcs.offKept': {
    en_US:
      'FCS is off for your company. Accounts stay, but none can be added or assigned to a line. Ask the manager of your channel account.',
    zh_CN: '贵公司的 FCS 已关闭。账号会保留，但无法添加或分配到线路。请联系管理您渠道账号的上级。',
    ko: '회사의 FCS가 꺼져 있습니다. 계정은 유지되지만 추가하거나 회선에 할당할 수 없습니다. 채널 계정 관리자에게 문의하세요.',
    pt_BR:
      'O FCS está desligado para sua empresa. As contas ficam, mas nenhuma pode ser adicionada ou atribuída a uma linha. Fale com quem gerencia sua conta de canal.',
  },
  'fcs.noServer': {
    en_US: 'No FCS server is offered yet. The operator of the installation adds them.',
    zh_CN: '尚未提供 FCS 服务器，由系统运营商添加。',
    ko: '아직 제공되는 FCS 서버가 없습니다. 설치 운영자가 추가합니다.',
    pt_BR: 'Nenhum servidor FCS é oferecido ainda. O operador da instalação os adiciona.',
  },
  'fcs.closed': {
    en_US: '{{server}} (no longer offered)',
    zh_CN: '{{server}}（已不再提供）',
    ko: '{{server}} (더 이상 제공되지 않음)',
    pt_BR: '{{server}} (não é mais oferecido)',
  },
  'fcs.search': {
    en_US: 'Name, number or user',
    zh_CN: '名称、号码或用户',
    ko: '이름, 번호 또는 사용자',
    pt_BR: 'Nome, número ou usuário',
  },
  'fcs.none': {
    en_US: 'No FCS accounts yet',
    zh_CN: '暂无 FCS 账号',
    ko: 'FCS 계정이 없습니다',
    pt_BR: 'Nenhuma conta FCS ainda',
  },
  'fcs.noneText': {
    en_US: 'An FCS account is a SIP account on an FCS server of the installation. Add one, then assign it to a line.',
    zh_CN: 'FCS 账号是系统 FCS 服务器上的 SIP 账号。请先添加账号，再将其分配到线路。',
    ko: 'FCS 계정은 설치의 FCS 서버에 있는 SIP 계정입니다. 계정을 추가한 다음 회선에 할당하세요.',
    pt_BR:
      'Uma conta FCS é uma conta SIP em um servidor FCS da instalação. Adicione uma e depois atribua-a a uma linha.',
  },
  'fcs.noMatch': {
    en_US: 'No FCS account matches.',
    zh_CN: '没有符合条件的 FCS 账号。',
    ko: '조건에 맞는 FCS 계정이 없습니다.',
    pt_BR: 'Nenhuma conta FCS corresponde.',
  },
  'fcs.listFailed': {
    en_US: 'The FCS accounts could not be loaded.',
    zh_CN: '无法加载 FCS 账号。',
    ko: 'FCS 계정을 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar as contas FCS.',
  },
});
