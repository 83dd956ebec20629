import { defineTexts } from '../../../kit/text/define.ts';

export const phonebookTexts = defineTexts({
  'phonebook.open': { en_US: 'Phonebook', zh_CN: '电话簿', ko: '전화번호부', pt_BR: 'Agenda' },
  'phonebook.title': {
    en_US: 'Phonebook for a phone',
    zh_CN: '话机电话簿',
    ko: '전화기용 전화번호부',
    pt_BR: 'Agenda para um telefone',
  },
  'phonebook.text': {
    en_US:
      'Phones load these accounts as a phonebook. Each device has its own link: set it on the phone as its remote phonebook.',
    zh_CN: '话机可将这些账号作为电话簿加载。每台设备有自己的链接，请在话机上将其设为远程电话簿。',
    ko: '전화기는 이 계정을 전화번호부로 불러옵니다. 장치마다 링크가 다르며, 전화기의 원격 전화번호부로 설정하세요.',
    pt_BR:
      'Os telefones carregam estas contas como agenda. Cada dispositivo tem seu próprio link: configure-o no telefone como agenda remota.',
  },
  'phonebook.device': { en_US: 'Device', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivo' },
  'phonebook.deviceSearch': { en_US: 'Name or MAC', zh_CN: '名称或 MAC', ko: '이름 또는 MAC', pt_BR: 'Nome ou MAC' },
  'phonebook.deviceNone': {
    en_US: 'No device matches.',
    zh_CN: '没有符合条件的设备。',
    ko: '조건에 맞는 장치가 없습니다.',
    pt_BR: 'Nenhum dispositivo corresponde.',
  },
  'phonebook.fanvil.xml': { en_US: 'Fanvil', zh_CN: 'Fanvil', ko: 'Fanvil', pt_BR: 'Fanvil' },
  'phonebook.yealink.xml': { en_US: 'Yealink', zh_CN: 'Yealink', ko: 'Yealink', pt_BR: 'Yealink' },
  'phonebook.phonebook.xml': { en_US: 'Grandstream', zh_CN: 'Grandstream', ko: 'Grandstream', pt_BR: 'Grandstream' },
  'phonebook.leftOut': {
    en_US: {
      one: '{{number}} account is left out: its number can’t be dialed.',
      other: '{{number}} accounts are left out: their numbers can’t be dialed.',
    },
    zh_CN: '{{number}} 个账号未列入：其号码无法拨打。',
    ko: '계정 {{number}}개가 빠졌습니다. 전화를 걸 수 없는 번호입니다.',
    pt_BR: {
      one: '{{number}} conta ficou de fora: o número não pode ser discado.',
      many: '{{number}} de contas ficaram de fora: os números não podem ser discados.',
      other: '{{number}} contas ficaram de fora: os números não podem ser discados.',
    },
  },
  'phonebook.secret': {
    en_US: 'Anyone with a link can read the phonebook. Add ?search= and a name to search.',
    zh_CN: '任何拥有链接的人都可以读取电话簿。在链接后加上 ?search= 和姓名即可搜索。',
    ko: '링크가 있는 누구나 전화번호부를 읽을 수 있습니다. 링크 뒤에 ?search=와 이름을 붙이면 검색합니다.',
    pt_BR: 'Quem tiver um link pode ler a agenda. Acrescente ?search= e um nome para pesquisar.',
  },
  'phonebook.none': {
    en_US: 'This device has no link yet.',
    zh_CN: '此设备还没有链接。',
    ko: '이 장치에는 아직 링크가 없습니다.',
    pt_BR: 'Este dispositivo ainda não tem link.',
  },
  'phonebook.noneReader': {
    en_US: 'This device has no link yet. Ask someone who may edit devices.',
    zh_CN: '此设备还没有链接，请联系有权编辑设备的人。',
    ko: '이 장치에는 아직 링크가 없습니다. 장치를 편집할 수 있는 사람에게 요청하세요.',
    pt_BR: 'Este dispositivo ainda não tem link. Peça a alguém que possa editar dispositivos.',
  },
  'phonebook.make': { en_US: 'Create links', zh_CN: '创建链接', ko: '링크 만들기', pt_BR: 'Criar links' },
  'phonebook.renew': { en_US: 'Renew links', zh_CN: '更新链接', ko: '링크 갱신', pt_BR: 'Renovar links' },
  'phonebook.withdraw': { en_US: 'Withdraw links', zh_CN: '撤销链接', ko: '링크 철회', pt_BR: 'Revogar links' },
  'audit.phonebook.show': {
    en_US: 'Show phonebook links',
    zh_CN: '查看电话簿链接',
    ko: '전화번호부 링크 보기',
    pt_BR: 'Mostrar links da agenda',
  },
  'audit.phonebook.renew': {
    en_US: 'Renew phonebook links',
    zh_CN: '更新电话簿链接',
    ko: '전화번호부 링크 갱신',
    pt_BR: 'Renovar links da agenda',
  },
  'audit.phonebook.withdraw': {
    en_US: 'Withdraw phonebook links',
    zh_CN: '撤销电话簿链接',
    ko: '전화번호부 링크 철회',
    pt_BR: 'Revogar links da agenda',
  },
});
