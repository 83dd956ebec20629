import { defineTexts } from '../../../kit/text/define.ts';

export const deliveryTexts = defineTexts({
  'menu.deliveries': {
    en_US: 'Delivered devices',
    zh_CN: '已交付设备',
    ko: '납품된 장치',
    pt_BR: 'Entregas',
  },
  'right.importDelivery': {
    en_US: 'Manage delivery lists with claim codes',
    zh_CN: '管理含认领码的交付清单',
    ko: '클레임 코드가 있는 납품 목록 관리',
    pt_BR: 'Gerenciar listas de entrega com códigos de reivindicação',
  },
  'delivery.mac': { en_US: 'MAC', zh_CN: 'MAC', ko: 'MAC', pt_BR: 'MAC' },
  'delivery.sn': { en_US: 'Serial number', zh_CN: '序列号', ko: '일련번호', pt_BR: 'Número de série' },
  'delivery.state': { en_US: 'Status', zh_CN: '状态', ko: '상태', pt_BR: 'Situação' },
  'delivery.state.free': { en_US: 'Free', zh_CN: '未认领', ko: '미등록', pt_BR: 'Livre' },
  'delivery.state.claimed': { en_US: 'Claimed', zh_CN: '已认领', ko: '등록됨', pt_BR: 'Reivindicado' },
  'delivery.company': { en_US: 'Claimed by', zh_CN: '认领公司', ko: '등록한 회사', pt_BR: 'Reivindicado por' },
  'delivery.claimedAt': { en_US: 'Claim time', zh_CN: '认领时间', ko: '등록 시각', pt_BR: 'Reivindicação' },
  'delivery.importedAt': { en_US: 'Import time', zh_CN: '导入时间', ko: '가져온 시각', pt_BR: 'Importação' },
  'delivery.search': {
    en_US: 'MAC, serial number or company',
    zh_CN: 'MAC、序列号或公司',
    ko: 'MAC, 일련번호 또는 회사',
    pt_BR: 'MAC, número de série ou empresa',
  },
  'delivery.none': {
    en_US: 'No delivered devices yet',
    zh_CN: '还没有已交付设备',
    ko: '아직 납품된 장치 없음',
    pt_BR: 'Nenhum dispositivo entregue ainda',
  },
  'delivery.noneText': {
    en_US:
      'Import a maker’s list of MACs, serial numbers and claim codes. A company then claims its devices with the codes on their labels.',
    zh_CN: '导入厂商提供的 MAC、序列号和认领码清单，公司即可用标签上的认领码认领自己的设备。',
    ko: '제조사의 MAC, 일련번호, 클레임 코드 목록을 가져오세요. 그러면 회사가 라벨의 코드로 자기 장치를 등록할 수 있습니다.',
    pt_BR:
      'Importe a lista do fabricante com MACs, números de série e códigos de reivindicação. Cada empresa então reivindica seus dispositivos com o código da etiqueta.',
  },
  'delivery.noMatch': {
    en_US: 'No delivered device matches the search.',
    zh_CN: '没有符合搜索的已交付设备。',
    ko: '검색과 일치하는 납품된 장치가 없습니다.',
    pt_BR: 'Nenhum dispositivo entregue corresponde à pesquisa.',
  },
  'delivery.listFailed': {
    en_US: 'The list could not be loaded.',
    zh_CN: '无法加载列表。',
    ko: '목록을 불러올 수 없습니다.',
    pt_BR: 'Não foi possível carregar a lista.',
  },
  'delivery.deleteOne': {
    en_US: 'Delete {{name}}',
    zh_CN: '删除 {{name}}',
    ko: '{{name}} 삭제',
    pt_BR: 'Excluir {{name}}',
  },
  'delivery.deleteMany': {
    en_US: { one: 'Delete {{number}} device', other: 'Delete {{number}} devices' },
    zh_CN: '删除 {{number}} 台设备',
    ko: '장치 {{number}}대 삭제',
    pt_BR: {
      one: 'Excluir {{number}} dispositivo',
      many: 'Excluir {{number}} de dispositivos',
      other: 'Excluir {{number}} dispositivos',
    },
  },
  'delivery.deleteText': {
    en_US: {
      one: 'No company can claim it with its code until you import a list with it again.',
      other: 'No company can claim them with their codes until you import a list with them again.',
    },
    zh_CN: '在重新导入包含该设备的清单之前，任何公司都无法用认领码认领。',
    ko: '목록을 다시 가져올 때까지 어떤 회사도 코드로 등록할 수 없습니다.',
    pt_BR: {
      one: 'Nenhuma empresa poderá reivindicá-lo com o código até que você importe de novo uma lista com ele.',
      many: 'Nenhuma empresa poderá reivindicá-los com os códigos até que você importe de novo uma lista com eles.',
      other: 'Nenhuma empresa poderá reivindicá-los com os códigos até que você importe de novo uma lista com eles.',
    },
  },
  'delivery.deleted': {
    en_US: { one: '{{number}} device deleted', other: '{{number}} devices deleted' },
    zh_CN: '已删除 {{number}} 台设备',
    ko: '장치 {{number}}대 삭제됨',
    pt_BR: {
      one: '{{number}} dispositivo excluído',
      many: '{{number}} de dispositivos excluídos',
      other: '{{number}} dispositivos excluídos',
    },
  },
  'audit.delivery.delete': {
    en_US: 'Delete delivered devices',
    zh_CN: '删除已交付设备',
    ko: '납품된 장치 삭제',
    pt_BR: 'Excluir dispositivos entregues',
  },
  'audit.delivery.importCheck': {
    en_US: 'Check import of delivery list',
    zh_CN: '检查交付清单导入',
    ko: '납품 목록 가져오기 확인',
    pt_BR: 'Verificar importação de lista de entrega',
  },
  'audit.delivery.import': {
    en_US: 'Import delivery list',
    zh_CN: '导入交付清单',
    ko: '납품 목록 가져오기',
    pt_BR: 'Importar lista de entrega',
  },
  'audit.delivery.importUndo': {
    en_US: 'Undo import of delivery list',
    zh_CN: '撤销交付清单导入',
    ko: '납품 목록 가져오기 취소',
    pt_BR: 'Desfazer importação de lista de entrega',
  },
  'audit.delivery.importEnd': {
    en_US: 'Discard import of delivery list',
    zh_CN: '放弃交付清单导入',
    ko: '납품 목록 가져오기 삭제',
    pt_BR: 'Descartar importação de lista de entrega',
  },
});
