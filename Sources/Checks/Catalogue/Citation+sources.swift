extension Citation {
  static let mraid2 = Citation(
    title: "MRAID 2.0", url: "https://www.iab.com/wp-content/uploads/2015/08/IAB_MRAID_v2_FINAL.pdf", date: "2013-04")
  static let mraid3 = Citation(
    title: "MRAID 3.0", url: "https://www.iab.com/wp-content/uploads/2017/07/MRAID_3.0_FINAL.pdf", date: "2018-06")
  static let iab = Citation(
    title: "IAB New Ad Portfolio", url: "https://www.iab.com/newadportfolio/", date: "2017")
}
