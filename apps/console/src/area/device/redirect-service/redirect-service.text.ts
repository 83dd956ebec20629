import { defineTexts } from '../../../kit/text/define.ts';

export const redirectServiceTexts = defineTexts({
  'menu.redirectService': {
    en_US: 'Redirect services',
    zh_CN: '重定向服务',
    ko: '리디렉션 서비스',
    pt_BR: 'Redirecionamento',
  },
  'menuIcon.redirect': { en_US: 'Forward', zh_CN: '转发', ko: '전달', pt_BR: 'Encaminhar' },
  'redirectService.title': {
    en_US: 'Redirect service',
    zh_CN: '重定向服务',
    ko: '리디렉션 서비스',
    pt_BR: 'Serviço de redirecionamento',
  },
  'redirectService.lead': {
    en_US:
      'A factory-new phone asks its maker’s redirect service for a server. With your account there, every device that you add is registered by itself and finds this server. A device that leaves is taken off.',
    zh_CN:
      '出厂新话机会向厂商的重定向服务询问服务器。填写您在该服务的账户后，您添加的每台设备都会自动登记并找到此服务器；离开的设备会被移除。',
    ko: '공장 출하 상태의 전화기는 제조사의 리디렉션 서비스에 서버를 묻습니다. 그곳의 계정을 입력하면 추가한 모든 장치가 자동으로 등록되어 이 서버를 찾고, 떠난 장치는 등록이 해제됩니다.',
    pt_BR:
      'Um telefone novo de fábrica pergunta ao serviço de redirecionamento do fabricante por um servidor. Com sua conta lá, cada dispositivo que você adiciona é registrado sozinho e encontra este servidor. Um dispositivo que sai é retirado.',
  },
  'redirectService.link': {
    en_US: 'Have new phones find this server by their maker’s redirect service',
    zh_CN: '通过厂商的重定向服务让新话机找到此服务器',
    ko: '제조사의 리디렉션 서비스로 새 전화기가 이 서버를 찾게 하기',
    pt_BR: 'Fazer telefones novos encontrarem este servidor pelo serviço do fabricante',
  },
  'redirectService.server': {
    en_US: 'Phones are sent to',
    zh_CN: '话机将被引导至',
    ko: '전화기를 보낼 주소',
    pt_BR: 'Os telefones são enviados para',
  },
  'redirectService.noServer': {
    en_US:
      'This installation does not know an address at which phones reach it. Until its operator sets CARILLON_PHONE_URL, no account can be enabled.',
    zh_CN: '此系统不知道话机可访问的自身地址。在运营商设置 CARILLON_PHONE_URL 之前，无法启用任何账户。',
    ko: '이 시스템은 전화기가 접속할 주소를 알지 못합니다. 운영자가 CARILLON_PHONE_URL을 설정할 때까지 계정을 사용할 수 없습니다.',
    pt_BR:
      'Esta instalação não conhece um endereço em que os telefones a alcancem. Até o operador definir CARILLON_PHONE_URL, nenhuma conta pode ser ativada.',
  },
  'redirectService.none': {
    en_US: 'No accounts yet',
    zh_CN: '暂无账户',
    ko: '아직 계정이 없습니다',
    pt_BR: 'Nenhuma conta ainda',
  },
  'redirectService.noneText': {
    en_US:
      'Fanvil (FDPS), Yealink (RPS or YMCS) and Snom (SRAPS) give accounts to resellers and customers. Without one, send this server’s address by DHCP option 66, or enter it in each phone.',
    zh_CN:
      'Fanvil（FDPS）、Yealink（RPS 或 YMCS）和 Snom（SRAPS）向经销商和客户提供账户。没有账户时，请通过 DHCP 选项 66 下发此服务器的地址，或在每部话机中输入。',
    ko: 'Fanvil(FDPS), Yealink(RPS 또는 YMCS), Snom(SRAPS)은 리셀러와 고객에게 계정을 제공합니다. 계정이 없으면 DHCP 옵션 66으로 이 서버의 주소를 보내거나 각 전화기에 입력하세요.',
    pt_BR:
      'Fanvil (FDPS), Yealink (RPS ou YMCS) e Snom (SRAPS) dão contas a revendedores e clientes. Sem uma, envie o endereço deste servidor pela opção 66 do DHCP ou digite-o em cada telefone.',
  },
  'redirectService.failed': {
    en_US: 'The redirect services could not be loaded.',
    zh_CN: '无法加载重定向服务。',
    ko: '리디렉션 서비스를 불러올 수 없습니다.',
    pt_BR: 'Não foi possível carregar os serviços de redirecionamento.',
  },
  'redirectService.add': {
    en_US: 'Add account',
    zh_CN: '添加账户',
    ko: '계정 추가',
    pt_BR: 'Adicionar conta',
  },
  'redirectService.editOne': {
    en_US: 'Edit {{name}}',
    zh_CN: '编辑 {{name}}',
    ko: '{{name}} 편집',
    pt_BR: 'Editar {{name}}',
  },
  'redirectService.deleteOne': {
    en_US: 'Delete {{name}}',
    zh_CN: '删除 {{name}}',
    ko: '{{name}} 삭제',
    pt_BR: 'Excluir {{name}}',
  },
  'redirectService.deleteText': {
    en_US: {
      one: 'The account and its secret are deleted here. {{number}} device stays registered at the service.',
      other: 'The account and its secret are deleted here. {{number}} devices stay registered at the service.',
    },
    zh_CN: '此处的账户及其密钥将被删除。{{number}} 台设备仍保留在该服务中。',
    ko: '여기의 계정과 비밀 정보가 삭제됩니다. 장치 {{number}}대는 서비스에 등록된 채로 남습니다.',
    pt_BR: {
      one: 'A conta e seu segredo são excluídos aqui. {{number}} dispositivo continua registrado no serviço.',
      many: 'A conta e seu segredo são excluídos aqui. {{number}} de dispositivos continuam registrados no serviço.',
      other: 'A conta e seu segredo são excluídos aqui. {{number}} dispositivos continuam registrados no serviço.',
    },
  },
  'redirectService.counts': {
    en_US: '{{registered}} registered, {{waiting}} waiting',
    zh_CN: '已登记 {{registered}}，等待中 {{waiting}}',
    ko: '등록됨 {{registered}}, 대기 중 {{waiting}}',
    pt_BR: '{{registered}} registrados, {{waiting}} em espera',
  },
  'redirectService.disabled': {
    en_US: 'Disabled. {{registered}} registered, {{waiting}} waiting until you enable it',
    zh_CN: '已禁用。已登记 {{registered}}，{{waiting}} 台等待启用',
    ko: '사용 안 함. 등록됨 {{registered}}, 사용할 때까지 대기 {{waiting}}',
    pt_BR: 'Desativado. {{registered}} registrados, {{waiting}} em espera até você ativar',
  },
  'redirectService.failing': {
    en_US: 'Failing since {{when}}. {{reason}}',
    zh_CN: '自 {{when}} 起失败。{{reason}}',
    ko: '{{when}}부터 실패. {{reason}}',
    pt_BR: 'Falha desde {{when}}. {{reason}}',
  },
  'redirectService.retryAt': {
    en_US: 'Next try: {{when}}.',
    zh_CN: '下次尝试：{{when}}。',
    ko: '다음 시도: {{when}}.',
    pt_BR: 'Próxima tentativa: {{when}}.',
  },
  'redirectService.stopped': {
    en_US: 'Not tried again until you retry.',
    zh_CN: '在您重试之前不会再尝试。',
    ko: '다시 시도할 때까지 시도하지 않습니다.',
    pt_BR: 'Não será tentado até você tentar de novo.',
  },
  'redirectService.showFailed': {
    en_US: { one: 'Show {{number}} failed device', other: 'Show {{number}} failed devices' },
    zh_CN: '查看 {{number}} 台失败的设备',
    ko: '실패한 장치 {{number}}대 보기',
    pt_BR: {
      one: 'Mostrar {{number}} dispositivo com falha',
      many: 'Mostrar {{number}} de dispositivos com falha',
      other: 'Mostrar {{number}} dispositivos com falha',
    },
  },
  'redirectService.failedOf': {
    en_US: 'Failed devices at {{name}}',
    zh_CN: '{{name}} 中失败的设备',
    ko: '{{name}}에서 실패한 장치',
    pt_BR: 'Dispositivos com falha em {{name}}',
  },
  'redirectService.leaving': {
    en_US: '{{name}} (to be taken off)',
    zh_CN: '{{name}}（待移除）',
    ko: '{{name}}(해제 예정)',
    pt_BR: '{{name}} (a retirar)',
  },
  'redirectService.more': {
    en_US: 'And {{number}} more.',
    zh_CN: '另有 {{number}} 台。',
    ko: '외 {{number}}대.',
    pt_BR: 'E mais {{number}}.',
  },
  'redirectService.retryAll': {
    en_US: 'Retry all now',
    zh_CN: '立即全部重试',
    ko: '지금 모두 다시 시도',
    pt_BR: 'Tentar todos agora',
  },
  'redirectService.retry': { en_US: 'Retry now', zh_CN: '立即重试', ko: '지금 다시 시도', pt_BR: 'Tentar agora' },
  'redirectService.kind': { en_US: 'Service', zh_CN: '服务', ko: '서비스', pt_BR: 'Serviço' },
  'redirectService.address': {
    en_US: 'Service address',
    zh_CN: '服务地址',
    ko: '서비스 주소',
    pt_BR: 'Endereço do serviço',
  },
  'redirectService.addressHint': {
    en_US: 'The maker’s public address. Change it only if the maker gave you another one.',
    zh_CN: '厂商的公开地址。仅在厂商提供了其他地址时更改。',
    ko: '제조사의 공개 주소입니다. 제조사가 다른 주소를 준 경우에만 바꾸세요.',
    pt_BR: 'O endereço público do fabricante. Mude só se o fabricante lhe deu outro.',
  },
  'redirectService.userName': {
    en_US: 'Username or key ID',
    zh_CN: '用户名或密钥 ID',
    ko: '사용자 이름 또는 키 ID',
    pt_BR: 'Nome de usuário ou ID da chave',
  },
  'redirectService.secret': {
    en_US: 'Password or key',
    zh_CN: '密码或密钥',
    ko: '비밀번호 또는 키',
    pt_BR: 'Senha ou chave',
  },
  'redirectService.secretKept': {
    en_US: 'Saved. Leave empty to keep it.',
    zh_CN: '已保存。留空则保留。',
    ko: '저장됨. 유지하려면 비워 두세요.',
    pt_BR: 'Salva. Deixe em branco para mantê-la.',
  },
  'redirectService.secretAgain': {
    en_US: 'Enter it again: the saved one is for another address or user.',
    zh_CN: '请重新输入：已保存的内容用于其他地址或用户。',
    ko: '다시 입력하세요. 저장된 값은 다른 주소나 사용자용입니다.',
    pt_BR: 'Informe de novo: a salva é de outro endereço ou usuário.',
  },
  'redirectService.missing': { en_US: 'Required.', zh_CN: '必填。', ko: '필수 항목입니다.', pt_BR: 'Obrigatório.' },
  'redirectService.enabled': {
    en_US: 'Register devices',
    zh_CN: '登记设备',
    ko: '장치 등록',
    pt_BR: 'Registrar dispositivos',
  },
  'redirectService.test': {
    en_US: 'Test connection',
    zh_CN: '测试连接',
    ko: '연결 테스트',
    pt_BR: 'Testar conexão',
  },
  'redirectService.testGood': {
    en_US: '{{name}} accepts the account.',
    zh_CN: '{{name}} 接受此账户。',
    ko: '{{name}}이(가) 계정을 받아들입니다.',
    pt_BR: '{{name}} aceita a conta.',
  },
  'redirectService.deviceRegistered': {
    en_US: '{{name}} has sent this phone to {{address}} since {{when}}.',
    zh_CN: '自 {{when}} 起，{{name}} 将此话机引导至 {{address}}。',
    ko: '{{name}}이(가) {{when}}부터 이 전화기를 {{address}}(으)로 보냅니다.',
    pt_BR: '{{name}} envia este telefone para {{address}} desde {{when}}.',
  },
  'redirectService.deviceWaiting': {
    en_US: 'Waiting to be registered at {{name}}.',
    zh_CN: '正在等待登记到 {{name}}。',
    ko: '{{name}}에 등록되기를 기다립니다.',
    pt_BR: 'Esperando para ser registrado em {{name}}.',
  },
  'redirectService.deviceFailed': {
    en_US: 'Not registered at {{name}}.',
    zh_CN: '未能登记到 {{name}}。',
    ko: '{{name}}에 등록되지 않았습니다.',
    pt_BR: 'Não registrado em {{name}}.',
  },
  'redirectService.deviceOff': {
    en_US: 'Not registered: {{name}} is disabled.',
    zh_CN: '未登记：{{name}} 已禁用。',
    ko: '등록되지 않음: {{name}}을(를) 사용하지 않습니다.',
    pt_BR: 'Não registrado: {{name}} está desativado.',
  },
  'right.editRedirectService': {
    en_US: 'Edit redirect services and retry',
    zh_CN: '编辑重定向服务并重试',
    ko: '리디렉션 서비스 편집 및 다시 시도',
    pt_BR: 'Editar serviços de redirecionamento e tentar de novo',
  },
  'audit.redirectService.add': {
    en_US: 'Add redirect service',
    zh_CN: '添加重定向服务',
    ko: '리디렉션 서비스 추가',
    pt_BR: 'Adicionar serviço de redirecionamento',
  },
  'audit.redirectService.edit': {
    en_US: 'Edit redirect service',
    zh_CN: '编辑重定向服务',
    ko: '리디렉션 서비스 편집',
    pt_BR: 'Editar serviço de redirecionamento',
  },
  'audit.redirectService.delete': {
    en_US: 'Delete redirect service',
    zh_CN: '删除重定向服务',
    ko: '리디렉션 서비스 삭제',
    pt_BR: 'Excluir serviço de redirecionamento',
  },
  'audit.redirectService.test': {
    en_US: 'Test redirect service',
    zh_CN: '测试重定向服务',
    ko: '리디렉션 서비스 테스트',
    pt_BR: 'Testar serviço de redirecionamento',
  },
  'audit.redirectService.retry': {
    en_US: 'Retry registration at redirect service',
    zh_CN: '重试在重定向服务中登记',
    ko: '리디렉션 서비스 등록 다시 시도',
    pt_BR: 'Tentar de novo o registro no serviço de redirecionamento',
  },
});
